import numpy as np
import pytest
from nulls import shuffles

from stages.measures import read_back, tables
from stages.measures.alignment import COLUMNS
from stages.measures.position_probes import folds
from stages.positions.sinusoids import sinusoid_nd
from stages.tasks.grid.facts import square_positions

GRID = square_positions(4)


def test_tables_of_each_finite_seed_and_block_and_of_all_blocks_side_by_side() -> None:
    stored = np.random.default_rng(0).normal(size=(3, 2, 16, 8))
    stored[1, 0, 5, 5] = np.inf
    rows, listed = tables.list_tables({"a": stored})
    assert list(rows.itertuples(index=False, name=None)) == [
        ("a", seed, block) for seed in (0, 2) for block in ("0", "1", "all")
    ]
    np.testing.assert_array_equal(listed[5], np.concatenate([stored[2, 0], stored[2, 1]], axis=1))


def test_read_outs_are_of_index_and_coordinates() -> None:
    assert GRID.coordinates is not None
    true = np.broadcast_to(sinusoid_nd(GRID.coordinates, 8), (2, 3, 16, 8))
    stored = {"true": true, "noise": np.random.default_rng(1).normal(size=(2, 3, 16, 8))}
    rows = tables.read_out(stored, GRID, folds(16, np.random.default_rng(2)), shuffles(16, 19))
    assert list(rows.columns) == [*tables.WHICH, *COLUMNS[1:]]
    assert set(rows.measure + " " + rows.reference) == {
        "position_mae index", "position_mae coordinates", "order_accuracy index",
    }  # fmt: skip
    error = rows[rows.reference == "coordinates"].groupby("encoding").value.mean()
    assert error["true"] < 0.5 < error["noise"]


def test_each_seed_s_first_table_is_read_back_with_its_own_contents() -> None:
    final = {"a": np.random.default_rng(3).normal(size=(3, 2, 16, 8))}
    final["a"][1, 1, 0, 0] = np.nan
    contents = {"a": np.random.default_rng(4).normal(size=(3, 4, 8))}
    rows = tables.read_back_first(final, contents, 9, np.random.default_rng(5))
    vectors, firsts = [contents["a"][0], contents["a"][2]], [final["a"][0, 0], final["a"][2, 0]]
    expected = read_back.read_back(vectors, firsts, 9, np.random.default_rng(5))
    rows = rows.sort_values(["seed", "measure"])
    np.testing.assert_array_equal(rows.value, expected.sort_values(["table", "measure"]).value)
    assert list(rows.seed) == [0, 0, 2, 2] and set(rows.block) == {"0"}


def test_similarities_by_hand() -> None:
    table = np.array([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0]])
    expected = [[1, 0, -1], [0, 1, 0], [-1, 0, 1]]
    np.testing.assert_allclose(tables.mean_similarity(np.stack([table, 2 * table])[:, None]), expected)
    distance = np.array([[0.0, 4.0], [4.0, 0.0]])
    np.testing.assert_array_equal(tables.true_similarity(distance), np.eye(2))
    assert tables.true_similarity(np.zeros((2, 2))).min() == pytest.approx(1.0)
