import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from stages.core.measures import attention_maps
from stages.core.positions.distances import different
from stages.tasks.grid.facts import square_positions

GRID = square_positions(4).distances
OFF = ~np.eye(16, dtype=bool)
SAME_LINE = (GRID["same_line"] == 0) & OFF


def test_auc_is_scikit_learns() -> None:
    edges = np.random.default_rng(3).random((12, 12)) < 0.3
    weights = np.random.default_rng(2).dirichlet(np.ones(12), size=12).astype(np.float32).round(2)  # ties
    off = ~np.eye(12, dtype=bool)
    assert attention_maps.edge_auc(weights, edges) == pytest.approx(roc_auc_score(edges[off], weights[off]))


def test_near_are_the_nearest_tenth_with_ties_or_the_smaller_of_two_values() -> None:
    near = attention_maps.find_near_pairs(GRID)
    np.testing.assert_array_equal(near["same_line"] & OFF, SAME_LINE)
    np.testing.assert_array_equal(near["grid_distance"], GRID["grid_distance"] <= 1)
    assert not attention_maps.find_near_pairs({"all": 1 - np.eye(16)})
    few = {"pairs": different(np.repeat(np.arange(15), 2))}  # fewer than a tenth are near
    assert attention_maps.find_near_pairs(few)["pairs"].sum() == 60


def test_the_mean_is_over_heads_and_blocks_in_which_every_token_attends() -> None:
    weights = np.zeros((3, 2, 16, 16))
    weights[:, 0] = SAME_LINE + 50 * np.eye(16)  # what tokens give themselves does not count
    weights[1] = SAME_LINE
    weights[2, 1, 0, 0] = np.nan
    blocks = [weights, weights[:, :1], weights[..., -1:, :]]
    areas = attention_maps.mean_over_heads(blocks, GRID, attention_maps.edge_auc)
    assert set(areas) == set(GRID)
    np.testing.assert_allclose(areas["same_line"], [2.5 / 3, 1, np.nan])  # a head that attends evenly: 0.5
    assert attention_maps.mean_over_heads(blocks[2:], GRID, attention_maps.edge_auc) == {}


def test_the_cosine_is_with_an_even_map_of_neighbours() -> None:
    line = GRID["same_line"] == 0
    assert attention_maps.edge_cosine(line / 7, line) == pytest.approx(1)
    assert attention_maps.edge_cosine(np.full((16, 16), 1 / 16), line) == pytest.approx((7 / 16) ** 0.5)
    assert attention_maps.edge_cosine(np.eye(16), line) == pytest.approx(7**-0.5)
    assert np.isnan(attention_maps.edge_cosine(np.full((16, 16), np.nan), line))


def test_the_cosine_with_another_model_is_the_mean_over_heads_and_blocks() -> None:
    maps = np.random.default_rng(4).random((2, 3, 16, 16))
    last = maps[..., -1:, :]
    found = attention_maps.mean_cosine([maps, last], [maps, last[::-1]])
    between = [
        np.dot(last[0, head, 0], last[1, head, 0])
        / (np.linalg.norm(last[0, head, 0]) * np.linalg.norm(last[1, head, 0]))
        for head in range(3)
    ]
    np.testing.assert_allclose(found, [(3 + sum(between)) / 6] * 2)
