from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from stages.figures import style


def write_line(path: Path) -> bytes:
    with style.house():
        figure = Figure(figsize=(2, 1))
        figure.subplots().plot([0, 1], label="σ")
        style.write(figure, path)
    return path.read_bytes()


def test_bytes_are_the_same_whatever_a_user_sets(tmp_path: Path) -> None:
    first = write_line(tmp_path / "first.png")
    of_user: dict[Any, Any] = {
        "lines.linewidth": 9,
        "savefig.transparent": True,
        "axes.facecolor": "red",
        "text.usetex": True,
    }
    with matplotlib.rc_context(of_user):
        assert write_line(tmp_path / "second.png") == first
    assert b"Software" not in first


def test_panels_stand_row_by_row_in_inches() -> None:
    figure, axes = style.place_panels(3, 2, (1.0, 2.0), (0.5, 1.0), (0.25, 0.25, 1.0, 2.0))
    assert figure.get_size_inches().tolist() == [3, 8]
    places = [np.multiply(one.get_position().bounds, (3, 8, 3, 8)).round(6).tolist() for one in axes]
    assert places == [[0.25, 5, 1, 2], [1.75, 5, 1, 2], [0.25, 2, 1, 2]]


def test_numbers_have_nothing_before_the_point() -> None:
    numbers = [(0.934, 2), (-0.02, 2), (1.2, 1), (0.996, 2), (-1.5, 1), (-0.001, 2)]
    assert [style.say_number(*number) for number in numbers] == [".93", "−.02", "1.2", "1.00", "−1.5", ".00"]


def test_range_holds_all_values_and_the_others_that_are_near() -> None:
    low, high = style.range_of([0.4, 0.5], [0.45, 0.55, 0.98])
    assert low < 0.4 and 0.55 < high < 0.98
    low, high = style.range_of([], [0.45, 0.98])
    assert low < 0.45 and high > 0.98
