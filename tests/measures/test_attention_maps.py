import numpy as np
import pytest
from nulls import check_null, shuffles
from sklearn.metrics import roc_auc_score

from stages.measures import attention_maps
from stages.positions.distances import different
from stages.tasks.grid.facts import square_positions

N = 12
OFF = ~np.eye(N, dtype=bool)
GRID = square_positions(4).distances
SAME_LINE = (GRID["same_line"] == 0) & ~np.eye(16, dtype=bool)
RANDOM = np.random.default_rng(0)
LEVELS = {"": np.ones(200, bool), "_few": np.arange(200) < 50}


def test_auc_is_scikit_learns_also_under_the_null() -> None:
    directed = np.random.default_rng(3).random((N, N)) < 0.3
    weights = np.random.default_rng(2).dirichlet(np.ones(N), size=(3, N)).astype(np.float32).round(2)  # ties

    def area(order: np.ndarray, weights: np.ndarray) -> object:
        return roc_auc_score(directed[np.ix_(order, order)][OFF], weights[OFF])

    rows = attention_maps.edge_auc(weights, directed, shuffles(N, 20))
    check_null(rows, shuffles(N, 20), area, list(weights))


def test_target_line_excess_by_hand() -> None:
    weights = np.zeros((2, 9))
    weights[0, [0, 4, 8]] = 0.2, 0.3, 0.5  # target 1: cells 0, 2 of its row, 4, 7 of its column
    weights[1, 8] = 1.0  # the target itself
    excess = attention_maps.target_line_excess(weights, np.array([1, 8]))
    np.testing.assert_allclose(excess, [0.5 - 4 / 9, -4 / 9])


def test_near_are_the_nearest_tenth_with_ties_or_the_smaller_of_two_values() -> None:
    near = attention_maps.find_near_pairs(GRID)
    np.testing.assert_array_equal(near["same_line"] & ~np.eye(16, dtype=bool), SAME_LINE)
    np.testing.assert_array_equal(near["grid_distance"], GRID["grid_distance"] <= 1)
    assert not attention_maps.find_near_pairs({"all": 1 - np.eye(16)})
    few = {"pairs": different(np.repeat(np.arange(15), 2))}  # fewer than a tenth are near
    assert attention_maps.find_near_pairs(few)["pairs"].sum() == 60


def test_maps_along_lines_are_found_by_seed_block_and_head() -> None:
    weights = RANDOM.random((2, 3, 16, 16)) * 0.1
    weights[1, 2] += SAME_LINE + 50 * np.eye(16)  # what tokens give themselves does not count
    weights[0, 1, 0, 0] = np.nan
    rows = attention_maps.compare_maps([weights, weights[..., -1:, :]], GRID, shuffles(16), 0)
    lines = rows[rows.reference == "same_line"].set_index(["seed", "block", "head"])
    assert lines.value[1, 0, 2] == 1 and lines.p_value[1, 0, 2] == pytest.approx(1 / 200)
    assert lines.drop((1, 0, 2)).value.between(0.35, 0.65).all()
    assert len(lines) == 5 and (0, 0, 1) not in lines.index


def test_communities_of_attention_are_compared_where_there_are_some() -> None:
    distances = {"communities": different(np.repeat([0, 1, 2], 4))}
    weights = (distances["communities"] == 0) / 4
    rows = attention_maps.compare_maps([weights[None, None]], distances, shuffles(N), 0).set_index("measure")
    assert rows.value["ami"] == pytest.approx(1) and rows.value["communities"] == 3
    assert rows.value["auc"] == 1
    nothing = attention_maps.compare_maps([np.full((1, 1, N, N), np.nan)], distances, shuffles(N), 0)
    columns = "seed block head reference measure value null_mean p_value"
    assert nothing.empty and list(nothing.columns) == attention_maps.COLUMNS == columns.split()


def test_excess_of_answer_and_target_on_the_target_s_line() -> None:
    targets = RANDOM.integers(0, 16, 200)
    weights = np.full((1, 200, 1, 16, 16), 1 / 16)
    weights[0, :, 0, -1] = SAME_LINE[targets] / 6
    rows = attention_maps.compare_puzzles([weights, weights[..., -1:, :]], targets, LEVELS, RANDOM)
    rows = rows.set_index(["block", "measure"])
    value = rows.value
    answered = targets != 15  # the last cell's own row of weights is that of the answer
    assert value[0, "answer_excess"] == pytest.approx(1 - 6 / 16)
    assert value[1, "answer_excess_few"] == pytest.approx(1 - 6 / 16)
    assert value[0, "target_excess"] == pytest.approx((~answered).mean() * (1 - 6 / 16))
    assert (1, "target_excess") not in value.index
    assert rows.p_value[0, "answer_excess"] == pytest.approx(1 / 200)
    assert rows.null_mean[0, "answer_excess"] < 0.2
