"""Rows that fit other places better are told: of a transposed table, of a grid stored by columns."""

from pathlib import Path

import numpy as np
import pytest

from stages.core.orders import align
from stages.core.positions.positions import Matrix
from stages.core.positions.sinusoids import sinusoid
from stages.measure_table.measure_file import measure_file
from stages.measure_table.orders import doubt_order
from stages.measure_table.places import read_places
from stages.measure_table.tables import Asked


def bumps(n: int, d: int) -> Matrix:
    """Make a table of columns, each largest near a place of its own, in no order."""
    centres = np.random.default_rng(0).uniform(size=d)
    return np.exp(-np.square((np.linspace(0, 1, n)[:, None] - centres) / 0.2))


def grid(sides: tuple[int, int], d: int) -> Matrix:
    """Make a table row by row: half of the columns hold the row, the others the column."""
    return np.hstack([sinusoid(axis.ravel().astype(float), d) for axis in np.indices(sides)])


def doubt(table: Matrix, positions: str) -> list[str]:
    return [*doubt_order(table, positions, read_places(positions, len(table)))]


def test_alignment_is_known() -> None:
    line = np.arange(40.0)[:, None]
    assert align(3 * line, line) == pytest.approx(1)
    assert align(np.random.default_rng(0).normal(size=(2000, 8)), np.arange(2000.0)[:, None]) < 0.05


@pytest.mark.parametrize("table", [sinusoid(np.arange(200.0), 48), bumps(64, 64), bumps(1500, 40)])
def test_a_transposed_table_is_told(table: Matrix) -> None:
    assert not doubt(table, "line")
    (told,) = doubt(table.T, "line")
    assert told.startswith("columns keep their order better than rows: alignment 0.")
    assert told.endswith("if the table is transposed, give it as [n, d], a row for each place")


def test_a_transposed_table_of_as_many_columns_as_places_of_a_square_is_told() -> None:
    table = grid((8, 8), 32)[:, np.random.default_rng(0).permutation(64)]
    assert not doubt(table, "square:8x8")
    assert len(doubt(table.T, "square:8x8")) == 1


@pytest.mark.parametrize("sides", [(8, 16), (3, 40), (14, 7)])
def test_a_grid_stored_column_by_column_is_told(sides: tuple[int, int]) -> None:
    table = grid(sides, 16)
    by_column = table.reshape(*sides, -1).swapaxes(0, 1).reshape(table.shape)
    right, wrong = (f"square:{rows}x{columns}" for rows, columns in (sides, sides[::-1]))
    assert not doubt(table, right) and not doubt(by_column, wrong)
    (told,) = doubt(by_column, right)
    assert told.startswith(f"rows fit {wrong} better: alignment ")
    assert told.endswith(f"stored column by column, give --positions {wrong}")


@pytest.mark.parametrize(("sides", "first"), [((12, 20), 0), ((14, 14), 1)])
def test_a_grid_that_is_called_a_line_is_told(sides: tuple[int, int], first: int) -> None:
    table = np.r_[np.full((first, 32), 0.1), grid(sides, 16)]
    (told,) = doubt(table, "line")
    assert told.startswith(f"rows fit square:{sides[0]}x{sides[1]} better than a line: alignment ")
    assert ("leaves out the first row" in told) == bool(first)


@pytest.mark.parametrize("shape", [(12, 200), (64, 64), (197, 768), (1024, 16), (30, 1)])
def test_tables_without_order_are_not(shape: tuple[int, int]) -> None:
    for seed in range(5):
        table = np.random.default_rng(seed).normal(size=shape)
        assert not doubt(table, "line") and not doubt(table, f"square:1x{shape[0]}")


@pytest.mark.parametrize("positions", ["line", "square:4x4", "square:2x8"])
def test_labels_that_are_not_used_are_said(
    positions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = np.random.default_rng(0).normal(size=(16, 3)).tolist()
    lines = [f"p{15 - number}," + ",".join(map(str, row)) for number, row in enumerate(rows)]
    (tmp_path / "a.csv").write_text("\n".join(["label,a,b,c", *lines]), encoding="utf-8")
    measure_file(tmp_path / "a.csv", None, Asked(positions), tmp_path / "out")
    said = f"a.csv: its labels are not used: {positions} takes rows in their order"
    assert said in capsys.readouterr().out
    assert said in (tmp_path / "out/page.html").read_text(encoding="utf-8")


def test_a_doubt_of_order_is_printed_and_on_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "wpe.npy", bumps(64, 40).T)
    measure_file(tmp_path / "wpe.npy", None, Asked("line"), tmp_path / "out")
    for text in (capsys.readouterr().out, (tmp_path / "out/page.html").read_text(encoding="utf-8")):
        assert "columns keep their order better than rows" in text
