"""Doubts of rows come with the `--rows` that leave them out, counted among all rows of the file."""

from pathlib import Path

import numpy as np
import pytest
from made_rows import rows

from stages.core.positions.positions import Matrix
from stages.measure_table.tables import Asked, doubt_places, read_table


def doubt(table: Matrix, positions: str = "line", names: tuple[str, ...] = ()) -> list[str]:
    return [*doubt_places(table, 0, len(table), positions, names)]


def test_a_class_token_in_the_file_is_told_where_the_number_of_rows_is_not_usual() -> None:
    (told,) = doubt(rows(1214), names=("cls_token", "pos"))
    assert told == "the file holds cls_token, whose row may be the first; without it: --rows 1:"
    assert not doubt(rows(256), names=("cls_token", "pos"))
    (told,) = doubt(rows(197), names=("cls_token", "pos"))
    assert told.startswith("197 rows are 196 and 1 more")


@pytest.mark.parametrize("positions", ["square:1x197", "a.csv"])
def test_rows_are_not_counted_where_places_are_given(positions: str) -> None:
    assert not doubt(rows(197), positions)


@pytest.mark.parametrize(("start", "cure"), [(0, "--rows :64"), (3, "--rows 3:67")])
def test_rows_are_counted_in_the_file(start: int, cure: str, tmp_path: Path) -> None:
    np.save(tmp_path / "wpe.npy", np.r_[rows(start, 16), np.tile(rows(64, 16), (2, 1))])
    told = read_table(tmp_path / "wpe.npy", None, Asked("square:1x128", f"{start}:")).said
    assert told[-1].startswith("row 64 is equal to row 0") and told[-1].endswith(f"without: {cure}")
