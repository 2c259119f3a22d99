import numpy as np
import pytest

from stages.measures import tables
from stages.measures.alignment import permutations
from stages.positions import true_positions
from stages.positions.sinusoids import sinusoid_nd

GRID = true_positions.grid(4)
SHUFFLES = permutations(16, 99, np.random.default_rng(0))


def stored() -> dict[str, np.ndarray]:
    assert GRID.coordinates is not None
    true = sinusoid_nd(GRID.coordinates, 8)
    noise = np.random.default_rng(1).normal(size=(2, 3, 16, 8))
    return {"true": np.broadcast_to(true, (2, 3, 16, 8)), "noise": noise}


def test_every_table_is_compared_with_every_reference() -> None:
    compared = tables.compare(stored(), GRID, SHUFFLES)
    # 2 configurations x 2 seeds x (3 blocks and `all`) x (3 references x 2 measures and mean_cosine)
    assert len(compared) == 2 * 2 * 4 * 7
    assert not compared.duplicated(["encoding", "seed", "block", "reference", "measure"]).any()
    assert list(compared.columns) == tables.COLUMNS


def test_the_sinusoid_agrees_with_itself_and_noise_does_not() -> None:
    compared = tables.compare(stored(), GRID, SHUFFLES)
    cosine = compared[compared.measure == "mean_cosine"].groupby("encoding").value
    np.testing.assert_allclose(cosine.get_group("true"), 1.0)
    assert cosine.get_group("noise").abs().max() < 0.5
    spearman = compared[(compared.measure == "spearman") & (compared.reference == "grid_distance")]
    assert spearman.groupby("encoding").value.mean()["true"] > 0.9


def test_block_all_is_the_blocks_side_by_side() -> None:
    compared = tables.compare(stored(), GRID, SHUFFLES)
    together = {"joined": np.concatenate(list(stored()["noise"][0]), axis=-1)[None, None]}
    expected = tables.compare(together, GRID, SHUFFLES).query("block == '0' and measure == 'spearman'")
    found = compared.query("encoding == 'noise' and seed == 0 and block == 'all' and measure == 'spearman'")
    np.testing.assert_allclose(found.value, expected.value)


def test_a_turned_copy_of_the_true_vectors_is_told_in_block_all() -> None:
    assert GRID.coordinates is not None
    found = tables.represent(stored(), {"sinusoid": sinusoid_nd(GRID.coordinates, 8)}, SHUFFLES, SHUFFLES[:9])
    assert list(found.columns) == tables.COLUMNS and len(found) == 2 * 2 * 2
    assert set(found.block) == {"all"}
    value = found.groupby(["measure", "encoding"]).value.mean()
    assert value["cka", "true"] == pytest.approx(1) and value["procrustes", "true"] == pytest.approx(1)
    assert value["cka", "noise"] < 0.3 and value["procrustes", "noise"] < 0.9


def test_no_tables_give_an_empty_frame_with_its_columns() -> None:
    assert list(tables.compare({}, GRID, SHUFFLES).columns) == tables.COLUMNS


def test_similarities_by_hand() -> None:
    table = np.array([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0]])
    expected = [[1, 0, -1], [0, 1, 0], [-1, 0, 1]]
    np.testing.assert_allclose(tables.mean_similarity(np.stack([table, 2 * table])[:, None]), expected)
    distance = np.array([[0.0, 4.0], [4.0, 0.0]])
    np.testing.assert_array_equal(tables.true_similarity(distance), np.eye(2))
    assert tables.true_similarity(np.zeros((2, 2))).min() == pytest.approx(1.0)
