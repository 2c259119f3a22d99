"""The stage end to end at the smallest scale: what its file holds, and what it refuses."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changed_params import ROOT, change_settings
from made_puzzles import generate_puzzles

from stages.files import artifacts
from stages.tasks.grid.generate import make
from stages.tasks.grid.puzzles import find_least_distances
from stages.tasks.grid.summary import tell_answers


@pytest.mark.parametrize("order", [4, 5])
def test_arrays_are_as_other_stages_expect_them(order: int, tmp_path: Path) -> None:
    arrays = generate_puzzles(tmp_path, order=order, protocol="even" if order > 4 else "published")
    assert len(arrays) == 9 and {array.dtype for array in arrays.values()} == {np.dtype(np.uint8)}
    for name, count in {"train": 540, "test": 60, "validation": 48}.items():
        puzzles = arrays[f"{name}_puzzles"]
        assert puzzles.shape == (count, order**2) and puzzles.max() == order + 1
        assert ((puzzles == order + 1).sum(1) == 1).all()
        assert set(arrays[f"{name}_answers"].tolist()) == set(range(1, order + 1))
        assert np.bincount(arrays[f"{name}_complexity"]).tolist() == [0, 0, *[count // 3] * 3]


@pytest.mark.parametrize("protocol", ["rows", "columns", "boxes"])
def test_the_target_s_row_or_column_or_box_alone_decides(protocol: str, tmp_path: Path) -> None:
    arrays = generate_puzzles(tmp_path, protocol=protocol)
    sizes = {name: len(arrays[f"{name}_puzzles"]) for name in ("train", "test", "validation")}
    assert sizes == {"train": 360, "test": 40, "validation": 32}
    assert set(arrays["train_complexity"]) == {2}
    least = find_least_distances(arrays["train_puzzles"], arrays["validation_puzzles"]).min()
    assert least > 0.8
    also_by_column = []
    for puzzle, answer in zip(arrays["train_puzzles"], arrays["train_answers"], strict=True):
        square = puzzle.reshape(4, 4).T if protocol == "columns" else puzzle.reshape(4, 4)
        row, column = np.argwhere(square == 5)[0]
        box = square[row // 2 * 2 :, column // 2 * 2 :][:2, :2]
        others = {1, 2, 3, 4} - {int(answer)}
        assert sorted(box.ravel() if protocol == "boxes" else square[row]) == sorted(others | {5})
        also_by_column.append(set(square[:, column]) >= others)
    assert np.mean(also_by_column) < 0.5


def test_the_seed_decides_every_byte_and_the_summary_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contents = []
    for seed in (1, 1, 2):
        generate_puzzles(tmp_path, seed, protocol="lines", held_out=0.25)
        contents.append((tmp_path / "made/puzzles.npz").read_bytes())
        summary = r"\d+ train, \d+ test, 32 validation puzzles; least distance to .* 0\.8\d\d, above 0\.8\n"
        assert re.fullmatch(summary, capsys.readouterr().out)
    assert contents[0] == contents[1] != contents[2]


@pytest.mark.parametrize(
    ("often", "said"),
    [
        ([0, 20, 20, 30, 30], ""),
        ([0, 0, 3, 0, 0], ""),  # as may be by chance
        ([0, 0, 13, 0, 0], "2 is the answer of 100%"),
        ([0, 50, 10, 20, 20], "1 is the answer of 50%"),
    ],
)
def test_an_answer_that_is_right_far_more_often_than_by_chance_is_said(
    often: list[int], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tell_answers("test", np.repeat(np.arange(5), often).astype(np.uint8), 4)
    told = capsys.readouterr().out
    assert said in told and bool(said) == bool(told)


def test_published_validation_has_the_last_cell_as_target_as_often_as_the_study(tmp_path: Path) -> None:
    size = {"puzzles_per_complexity": 20, "validation_per_complexity": 36}
    make(change_settings({"scales.smoke.grid.data": size}), ROOT, tmp_path)
    puzzles = artifacts.read_arrays(tmp_path)["validation_puzzles"]
    shares = (puzzles[:, -1] == 5).reshape(3, 36).mean(1)
    assert (shares > 0.08).all() and (shares < 0.14).all()


OF_ORDER_5 = "given with order 5, expected order 4; set it to even$"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"order": 5, "protocol": "published"}, f"grid.protocol: 'published' {OF_ORDER_5}"),
        ({"order": 5, "protocol": "boxes"}, f"grid.protocol: 'boxes' {OF_ORDER_5}"),
        ({"held_out": 0.5}, r"grid\.held_out: 0\.5 given with grid\.protocol published"),
        ({"held_out": 0.6, "protocol": "lines"}, r"grid\.held_out: 0\.6 given, expected at most 0\.5"),
        ({"puzzles": {"train": ["a.csv"], "validation": []}}, "grid.puzzles: .* files for both or neither"),
    ],
)
def test_settings_that_do_not_fit_are_one_line(
    settings: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=rf"^{message}[^\n]*$"):
        generate_puzzles(tmp_path, **settings)
