from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from stages.figures import style


def write_line(path: Path) -> bytes:
    with style.house():
        figure = Figure(figsize=(2, 1))
        figure.subplots().plot([0, 1], label="σ")
        style.write(figure, path)
    return path.read_bytes()


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_bytes_are_the_same_whatever_a_user_sets(tmp_path: Path, suffix: str) -> None:
    first = write_line(tmp_path / f"first{suffix}")
    of_user: dict[Any, Any] = {
        "lines.linewidth": 9,
        "savefig.transparent": True,
        "axes.facecolor": "red",
        "text.usetex": True,
    }
    with matplotlib.rc_context(of_user):
        assert write_line(tmp_path / f"second{suffix}") == first
    assert b"Software" not in first and b"<dc:date>" not in first


def test_a_small_picture_keeps_the_colour_of_a_thin_line(tmp_path: Path) -> None:
    figure = Figure(figsize=(3, 3))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.imshow(np.random.default_rng(0).random((90, 90)), cmap="Blues", interpolation="nearest")
    axes.plot([0, 89], [40, 40], color="#009E73", lw=2)
    style.write(figure, tmp_path / "map.png")
    figure.savefig(tmp_path / "whole.png", dpi=style.DOTS)
    with Image.open(tmp_path / "map.png") as picture:
        colours = np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3), axis=0).astype(int)
    assert len(colours) <= 256 and np.abs(colours - [0, 0x9E, 0x73]).max(axis=1).min() <= 4
    assert (tmp_path / "map.png").stat().st_size < (tmp_path / "whole.png").stat().st_size / 2


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected a name that ends in .png or .svg"):
        style.write(Figure(), tmp_path / "figure.pdf")


def test_panels_stand_row_by_row_in_inches() -> None:
    figure, axes = style.place_panels(3, 2, (1.0, 2.0), (0.5, 1.0), (0.25, 0.25, 1.0, 2.0))
    assert figure.get_size_inches().tolist() == [3, 8]
    places = [np.multiply(one.get_position().bounds, (3, 8, 3, 8)).round(6).tolist() for one in axes]
    assert places == [[0.25, 5, 1, 2], [1.75, 5, 1, 2], [0.25, 2, 1, 2]]


def test_numbers_have_nothing_before_the_point() -> None:
    numbers = [(0.934, 2), (-0.02, 2), (1.2, 1), (0.996, 2), (-1.5, 1)]
    assert [style.say_number(*number) for number in numbers] == [".93", "−.02", "1.2", "1.00", "−1.5"]


def test_range_holds_all_values_and_the_others_that_are_near() -> None:
    low, high = style.range_of([0.4, 0.5], [0.45, 0.55, 0.98])
    assert low < 0.4 and 0.55 < high < 0.98
    low, high = style.range_of([], [0.45, 0.98])
    assert low < 0.45 and high > 0.98
