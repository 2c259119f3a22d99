"""Tables whose axes lie in other ways: a picture's grid, and the project's own."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.measure_table.tables import Asked, read_table

GRID = np.random.default_rng(0).normal(size=(3, 4, 5))  # h, w, d


def read(tmp_path: Path, table: np.ndarray, positions: str) -> tuple[np.ndarray, list[str]]:
    np.save(tmp_path / "pos.npy", table)
    found = read_table(tmp_path / "pos.npy", None, Asked(positions))
    return found.rows, found.said


def test_a_grid_is_read_row_by_row_wherever_its_numbers_lie(tmp_path: Path) -> None:
    rows, said = read(tmp_path, GRID[None], "square:3x4")
    assert np.array_equal(rows, GRID.reshape(12, 5))
    assert said == ["[1, 3, 4, 5] is read as [1, h, w, d]: 3 x 4 places"]
    rows, said = read(tmp_path, np.moveaxis(GRID, 2, 0)[None], "square:3x4")
    assert np.array_equal(rows, GRID.reshape(12, 5))
    assert said == ["[1, 5, 3, 4] is read as [1, d, h, w]: 3 x 4 places"]
    rows, _ = read(tmp_path, GRID[:, :3].repeat(2, axis=0).repeat(2, axis=1)[None], "line")
    assert rows.shape == (36, 5)
    assert np.array_equal(read(tmp_path, GRID.reshape(1, 1, 12, 5), "line")[0], GRID.reshape(12, 5))


@pytest.mark.parametrize("d", [1, 5, 32])
def test_a_table_with_an_axis_of_one_for_the_batch_is_read(d: int, tmp_path: Path) -> None:
    table = np.random.default_rng(0).normal(size=(12, d))
    for stored in (table[:, None], table[None]):
        assert np.array_equal(read(tmp_path, stored, "square:3x4")[0], table)
        assert np.array_equal(read(tmp_path, stored, "line")[0], table)


def test_some_rows_of_a_long_table_are_measured(tmp_path: Path) -> None:
    table = np.random.default_rng(0).normal(size=(5001, 2))
    np.save(tmp_path / "long.npy", table)
    artifacts.write_arrays(tmp_path / "several.npz", {"pe": table[:, None], "head": table[:40], "out": table})
    for file in ("long.npy", "several.npz"):
        assert np.array_equal(read_table(tmp_path / file, None, Asked(rows=":256")).rows, table[:256])
        assert np.array_equal(read_table(tmp_path / file, None, Asked(rows="-50:")).rows, table[-50:])
        with pytest.raises(InputError, match=r"--rows : leaves 5001 of 5001 rows, .* 5000; keep fewer, as"):
            read_table(tmp_path / file, None)
    artifacts.write_arrays(tmp_path / "unnamed.npz", {"a": table[:40], "b": table})
    assert read_table(tmp_path / "unnamed.npz", None).name == "a"  # long ones are of tokens or layers
    assert len(read_table(tmp_path / "unnamed.npz", "b", Asked(rows=":99")).rows) == 99


def test_rows_are_left_out(tmp_path: Path) -> None:
    table = np.random.default_rng(0).normal(size=(197, 4))
    np.save(tmp_path / "pos.npy", table)
    found = read_table(tmp_path / "pos.npy", None, Asked(rows="1:"))
    assert np.array_equal(found.rows, table[1:])
    assert found.said == ["rows 1: of 197 are measured, the first of them as row 0"]
    assert np.array_equal(read_table(tmp_path / "pos.npy", None, Asked(rows="2:-3")).rows, table[2:-3])
    for given, said in (
        ("1", "expected START:END"),
        ("1:2:3", "expected START:END"),
        ("190:", "leaves 7 of 197"),
    ):
        with pytest.raises(InputError, match=rf"--rows {given}.*{said}"):
            read_table(tmp_path / "pos.npy", None, Asked(rows=given))


@pytest.mark.parametrize(
    ("shape", "positions", "said"),
    [
        ((1, 4, 4, 4), "square:4x4", "2 of [1, h, w, d] and [1, d, h, w] fit --positions square:4x4"),
        ((1, 3, 4, 5), "line", "0 of [1, h, w, d] and [1, d, h, w] fit --positions line"),
        ((1, 3, 4, 5), "square:2x6", "0 of [1, h, w, d] and [1, d, h, w] fit --positions square:2x6"),
        ((20, 16), "square:4x4", "20 rows and 16 columns, and square:4x4 as many places as columns"),
        ((2, 3, 4, 5), "square:4x5", "no table in it"),
    ],
)
def test_axes_that_may_be_either_are_refused(
    shape: tuple[int, ...], positions: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        read(tmp_path, np.random.default_rng(0).normal(size=shape), positions)
    assert "\n" not in str(caught.value) and "; " in str(caught.value)


def test_the_project_s_own_tables_are_read_by_seed_and_block(tmp_path: Path) -> None:
    final = np.random.default_rng(0).normal(size=(3, 2, 16, 4)).astype(np.float32)
    artifacts.write_arrays(tmp_path / "tables.npz", {"initial": final + 1, "final": final})
    weights = {"encoding.tables": final, "embedding.linear.weight": final[:, 0], "head": final[:1, 0]}
    artifacts.write_weights(tmp_path / "weights.safetensors", weights)
    for name, tensor in (("tables.npz", "final"), ("weights.safetensors", "encoding.tables")):
        found = read_table(tmp_path / name, None)
        assert found.name == tensor and np.array_equal(found.rows, final[0, 0])
        assert found.said[0] == ("seed 0 of 3 and block 0 of 2, counted from 0; for others: --seed, --block")
    found = read_table(tmp_path / "tables.npz", None, Asked(seed=2, block=1))
    assert np.array_equal(found.rows, final[2, 1]) and found.said[0].startswith(
        "seed 2 of 3 and block 1 of 2"
    )
    assert np.array_equal(read_table(tmp_path / "tables.npz", "initial").rows, final[0, 0] + 1)
    with pytest.raises(InputError, match=r"--seed 3, expected 0 to 2 in .*tensor final; give one"):
        read_table(tmp_path / "tables.npz", None, Asked(seed=3))
    with pytest.raises(InputError, match=r"tensor head has no axis of blocks, expected no --block; leave"):
        read_table(tmp_path / "weights.safetensors", "head", Asked(block=0))


@pytest.mark.parametrize(("rows", "columns", "cut"), [(65, 64, "1:"), (18, 16, "2:"), (17, 16, ":16")])
def test_a_width_of_as_many_numbers_as_places_is_no_transposed_table(
    rows: int, columns: int, cut: str, tmp_path: Path
) -> None:
    """Rows of class and register tokens are cut."""
    table = np.random.default_rng(0).normal(size=(rows, columns))
    np.save(tmp_path / "pos.npy", table)
    side = math.isqrt(columns)
    found = read_table(tmp_path / "pos.npy", None, Asked(f"square:{side}x{side}", cut))
    assert np.array_equal(found.rows, table[1:] if cut == "1:" else table[2:] if cut == "2:" else table[:16])
    with pytest.raises(InputError, match=rf"transposed; .* as with --rows {rows - columns}:$"):
        read_table(tmp_path / "pos.npy", None, Asked(f"square:{side}x{side}"))
