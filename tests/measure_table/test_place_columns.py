"""Columns of a .csv of places: axes, codes and numbers of rows are told apart."""

from pathlib import Path

import numpy as np
import pytest
from made_places import write_places
from numpy.typing import NDArray

from stages.core.settings.errors import InputError
from stages.measure_table.places import read_places


@pytest.mark.parametrize("names", ["x,y", "X_mm,y_mm", "row,col", "Column,Row", "x,z"])
def test_axes_are_known_by_name_and_others_are_left_out(
    names: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{names},volume\n0,0,7\n0,1,9\n1,0,3\n1,1,5\n")
    assert read_places(str(path), 4)["coordinates"].tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert "its columns volume are left out" in capsys.readouterr().out


@pytest.mark.parametrize(
    "first", ["x,Row", "network,volume", "x,x_mm", "x,yy", "x,row,col", "left,right,up,down", ""]
)
def test_columns_that_are_not_known_as_axes_are_refused(first: str, tmp_path: Path) -> None:
    rows = "".join(f"{'0.5,' * first.count(',')}{row**2}\n" for row in range(4))
    (tmp_path / "a.csv").write_text(f"{first}\n{rows}" if first else "1,2,3,9\n2,3,4,5\n7,2,1,4\n3,3,3,1\n")
    with pytest.raises(InputError, match=r"not all of which are known as axes; expected x, y, z"):
        read_places(str(tmp_path / "a.csv"), 4)


@pytest.mark.parametrize(
    "others", [[[0.5, 2.5], [1, 1.5], [3, 4]], [[5, 2], [1, 7], [3, 4]], [[0.5], [2], [1]]]
)
@pytest.mark.parametrize("first", ["", "0,1,2"])
def test_codes_of_regions_without_names_are_refused(
    others: list[list[float]], first: str, tmp_path: Path
) -> None:
    codes = np.c_[[2001, 2002, 2101], others]
    write_places(tmp_path, first[: 2 * codes.shape[1] - 1] if codes.shape[1] > 2 else "", codes)
    with pytest.raises(InputError, match=r"first column, 2001, 2002, …, .* may be codes of regions"):
        read_places(str(tmp_path / "a.csv"), 3)
    write_places(tmp_path, "label,x,y"[: 5 + 2 * len(others[0])], codes)
    assert read_places(str(tmp_path / "a.csv"), 3)["coordinates"].shape == (3, len(others[0]))


def test_axes_without_names_are_not_taken_for_codes(tmp_path: Path) -> None:
    for places in (np.indices((3, 4)).reshape(2, -1).T, np.random.default_rng(0).normal(size=(12, 3))):
        write_places(tmp_path, "", places)
        assert read_places(str(tmp_path / "a.csv"), 12)["coordinates"].shape == places.shape


@pytest.mark.parametrize("first", ["index,x,y", "Unnamed: 0,x,y", "row_number,row,column", ",x_mm,y_mm"])
@pytest.mark.parametrize("start", [0, 1])
def test_places_in_another_order_are_found_by_their_numbers(
    start: int, first: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    square = read_places("square:4x4", 16)["square"]
    numbered = np.c_[np.arange(start, start + 16), square]
    for order in (np.random.default_rng(0).permutation(16), np.arange(16)[::-1], np.arange(16)):
        write_places(tmp_path, first, numbered[order])
        assert read_places(str(tmp_path / "a.csv"), 16)["coordinates"].tolist() == square.tolist()
        told = capsys.readouterr().out
        assert ("stand in another order than its column" in told) == (order[0] != 0)
        assert "has no labels" not in told


@pytest.mark.parametrize(
    ("name", "numbers", "said"),
    [
        (
            "id",
            2001 + 7 * np.arange(16) ** 2,
            "column 'id' does not count rows, as its name says; number each",
        ),
        ("index", np.arange(16) // 2, "column 'index' does not count rows, as its name says"),
        ("position", np.arange(30, -1, -2), "column 'position' does not count rows"),
        (
            "node",
            np.arange(16)[::-1],
            "column 'node' may number rows, in another order than they stand; call it",
        ),
    ],
)
def test_numbers_of_places_that_do_not_count_are_refused_but_beside_labels(
    name: str, numbers: NDArray[np.int64], said: str, tmp_path: Path
) -> None:
    square = read_places("square:4x4", 16)["square"].astype(int)
    write_places(tmp_path, f"{name},x,y", np.c_[numbers, square])
    with pytest.raises(InputError, match=said):
        read_places(str(tmp_path / "a.csv"), 16)
    labels = [f"p{row}" for row in range(16)]
    write_places(tmp_path, f"label,{name},x,y", np.c_[np.array(labels), numbers, square])
    assert read_places(str(tmp_path / "a.csv"), 16, labels)["coordinates"].tolist() == square.tolist()


def test_numbers_without_a_name_above_them_are_no_axis(tmp_path: Path) -> None:
    square = read_places("square:4x4", 16)["square"]
    write_places(tmp_path, "", np.c_[np.random.default_rng(0).permutation(16), square])
    with pytest.raises(InputError, match="holds each number of a row once, and may number them"):
        read_places(str(tmp_path / "a.csv"), 16)
