import numpy as np
import pytest
from nulls import shuffles

from stages.measures import read_back, tables
from stages.measures.position_probes import folds
from stages.positions.distances import different
from stages.positions.sinusoids import sinusoid, sinusoid_nd
from stages.tasks.bases.shared_facts import line_positions
from stages.tasks.grid.facts import square_positions

GRID = square_positions(4)
SHUFFLES = shuffles(16, 99)
GROUPS = np.repeat([0, 1, 2], 4)
WHICH, NUMBERS = ["encoding", "seed", "block"], ["measure", "value", "null_mean", "p_value"]


def stored() -> dict[str, np.ndarray]:
    assert GRID.coordinates is not None
    true = sinusoid_nd(GRID.coordinates, 8)
    noise = np.random.default_rng(1).normal(size=(2, 3, 16, 8))
    return {"true": np.broadcast_to(true, (2, 3, 16, 8)), "noise": noise}


def test_every_table_is_compared_with_every_reference() -> None:
    compared, empty = tables.compare(stored(), GRID, SHUFFLES), tables.compare({}, GRID, SHUFFLES)
    # 2 configurations x 2 seeds x (3 blocks and `all`) x (3 references x 2 measures and mean_cosine)
    assert len(compared) == 2 * 2 * 4 * 7
    assert not compared.duplicated(["encoding", "seed", "block", "reference", "measure"]).any()
    assert list(compared.columns) == tables.COLUMNS == [*WHICH, "reference", *NUMBERS]
    assert empty.empty and list(empty.columns) == tables.COLUMNS
    cosine = compared[compared.measure == "mean_cosine"].groupby("encoding").value
    np.testing.assert_allclose(cosine.get_group("true"), 1.0)
    assert cosine.get_group("noise").abs().max() < 0.5
    spearman = compared[(compared.measure == "spearman") & (compared.reference == "grid_distance")]
    assert spearman.groupby("encoding").value.mean()["true"] > 0.9


def test_block_all_is_the_blocks_side_by_side() -> None:
    compared = tables.compare(stored(), GRID, SHUFFLES)
    together = {"joined": np.concatenate(list(stored()["noise"][0]), axis=-1)[None, None]}
    expected = tables.compare(together, GRID, SHUFFLES).query("block == '0' and measure == 'spearman'")
    rows = compared.query("encoding == 'noise' and seed == 0 and block == 'all' and measure == 'spearman'")
    np.testing.assert_allclose(rows.value, expected.value)


def test_read_outs_are_of_index_coordinates_and_in_sequences_the_sinusoid() -> None:
    fold, few = folds(16, np.random.default_rng(2)), shuffles(16, 19)
    on_grid = tables.read_out(stored(), GRID, fold, few)
    assert set(on_grid.reference) == {"index", "coordinates"} and list(on_grid.columns) == tables.COLUMNS
    error = on_grid[on_grid.reference == "coordinates"].groupby("encoding").value.mean()
    assert error["true"] < 0.5 < error["noise"]
    ordered = {"true": np.broadcast_to(sinusoid(np.arange(16.0), 8), (1, 2, 16, 8))}
    in_order = tables.read_out(ordered, line_positions(16), fold, few)
    np.testing.assert_allclose(in_order.query("measure == 'spearman_cosine'").value, [1, 1, 1])


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


def grouped() -> dict[str, np.ndarray]:
    """Tables [3, 2, 12, 8] by configuration: of communities and of noise; one replica of these diverged."""
    rng = np.random.default_rng(1)
    near = np.eye(3, 8)[GROUPS] + 0.1 * rng.normal(size=(3, 2, 12, 8))
    noise = rng.normal(size=(3, 2, 12, 8))
    noise[1, 0, 5, 5] = np.inf
    return {"near": near, "noise": noise}


def test_travel_pairs_each_table_with_its_own_start() -> None:
    final = grouped()
    scale = 2.0 + np.arange(6).reshape(3, 2, 1, 1)
    initial = {name: np.where(np.isfinite(array), array, 1.0) / scale for name, array in final.items()}
    rows = tables.describe_geometry(initial, final)
    assert list(rows.columns) == [*WHICH, "measure", "value"]
    change = rows[rows.measure == "relative_change"].set_index(["encoding", "seed", "block"]).value
    assert change["near", 2, "1"] == pytest.approx(7 - 1)
    assert change["noise", 2, "0"] == pytest.approx(6 - 1)
    assert ("noise", 1, "0") not in change.index
    # three seeds, and two that did not diverge, of two blocks and `all`
    assert len(change) == (3 + 2) * 3


def test_communities_of_the_mean_over_finite_seeds_are_found_again() -> None:
    shared = tables.find_shared_communities(grouped(), seed=0)
    np.testing.assert_array_equal(different(shared["near"]), different(GROUPS))


def test_similarities_by_hand() -> None:
    table = np.array([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0]])
    expected = [[1, 0, -1], [0, 1, 0], [-1, 0, 1]]
    np.testing.assert_allclose(tables.mean_similarity(np.stack([table, 2 * table])[:, None]), expected)
    distance = np.array([[0.0, 4.0], [4.0, 0.0]])
    np.testing.assert_array_equal(tables.true_similarity(distance), np.eye(2))
    assert tables.true_similarity(np.zeros((2, 2))).min() == pytest.approx(1.0)
