import numpy as np
import pytest

from stages.measures import attended
from stages.measures.alignment import permutations
from stages.positions.distances import different
from stages.tasks.grid.facts import square_positions

GRID = square_positions(4).distances
SAME_LINE = (GRID["same_line"] == 0) & ~np.eye(16, dtype=bool)
RANDOM = np.random.default_rng(0)
LEVELS = {"": np.ones(200, bool), "_few": np.arange(200) < 50}


def test_near_are_the_nearest_tenth_with_ties_or_the_smaller_of_two_values() -> None:
    near = {name: edges & ~np.eye(16, dtype=bool) for name, edges in attended.find_near_pairs(GRID).items()}
    np.testing.assert_array_equal(near["same_line"], SAME_LINE)
    np.testing.assert_array_equal(near["grid_distance"], GRID["grid_distance"] == 1)
    few = {"pairs": different(np.repeat(np.arange(15), 2))}  # fewer than a tenth are near
    assert attended.find_near_pairs(few)["pairs"].sum() == 60


def test_maps_along_lines_are_found_by_seed_block_and_head() -> None:
    weights = RANDOM.random((2, 3, 16, 16)) * 0.1
    weights[1, 2] += SAME_LINE
    weights[0, 1, 0, 0] = np.nan
    shuffles = permutations(16, 199, np.random.default_rng(1))
    rows = attended.compare_maps([weights, weights[..., -1:, :]], GRID, shuffles, 0)
    lines = rows[rows.reference == "same_line"].set_index(["seed", "block", "head"])
    assert lines.value[1, 0, 2] == 1 and lines.p_value[1, 0, 2] == pytest.approx(1 / 200)
    assert lines.drop((1, 0, 2)).value.between(0.35, 0.65).all()
    assert len(lines) == 5 and (0, 0, 1) not in lines.index


def test_communities_of_attention_are_compared_where_there_are_some() -> None:
    distances = {"communities": different(np.repeat([0, 1, 2], 4))}
    weights = (distances["communities"] == 0) / 4
    shuffles = permutations(12, 99, np.random.default_rng(1))
    rows = attended.compare_maps([weights[None, None]], distances, shuffles, 0).set_index("measure")
    assert rows.value["ami"] == pytest.approx(1) and rows.value["communities"] == 3
    assert rows.value["auc"] == 1
    nothing = attended.compare_maps([np.full((1, 1, 12, 12), np.nan)], distances, shuffles, 0)
    columns = "seed block head reference measure value null_mean p_value"
    assert nothing.empty and list(nothing.columns) == attended.COLUMNS == columns.split()


def test_excess_of_answer_and_target_on_the_target_s_line() -> None:
    targets = RANDOM.integers(0, 16, 200)
    weights = np.full((1, 200, 1, 16, 16), 1 / 16)
    weights[0, :, 0, -1] = SAME_LINE[targets] / 6
    rows = attended.compare_puzzles([weights, weights[..., -1:, :]], targets, LEVELS, RANDOM)
    value = rows.set_index(["block", "measure"]).value
    answered = targets != 15  # the last cell's own row of weights is that of the answer
    assert value[0, "answer_excess"] == pytest.approx(1 - 6 / 16)
    assert value[1, "answer_excess_few"] == pytest.approx(1 - 6 / 16)
    assert value[0, "target_excess"] == pytest.approx((~answered).mean() * (1 - 6 / 16))
    assert (1, "target_excess") not in value.index
    p_value = rows.set_index(["block", "measure"]).p_value
    assert p_value[0, "answer_excess"] == pytest.approx(1 / 200)
    assert rows.set_index(["block", "measure"]).null_mean[0, "answer_excess"] < 0.2
