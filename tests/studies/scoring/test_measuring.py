from dataclasses import replace
from pathlib import Path

import numpy as np

from stages.core.measures.locality import cosine_by_steps
from stages.core.positions.sinusoids import sinusoid_nd
from stages.files.artifacts import write_arrays, write_weights
from stages.studies.scoring.measuring import (
    measure_locality,
    measure_mirroring,
    measure_read_back,
    measure_read_out,
)
from stages.tasks.grid.facts import square_positions


def test_locality_is_that_of_blocks_side_by_side_and_none_where_a_seed_diverged(tmp_path: Path) -> None:
    final = np.random.default_rng(0).normal(size=(3, 2, 6, 4))
    final[1] = np.nan
    write_arrays(tmp_path / "tables.npz", {"initial": final, "final": final})
    found = {metric: values for _, metric, values in measure_locality(tmp_path)}
    assert list(found) == ["cosine_1", "cosine_2", "cosine_4", "steps_to_half"]
    assert all(np.isnan(values[1]) for values in found.values())
    expected = cosine_by_steps(np.hstack([final[2, 0], final[2, 1]]))
    np.testing.assert_allclose([found[f"cosine_{steps}"][2] for steps in expected], [*expected.values()])


def test_read_outs_are_of_index_coordinates_and_order(tmp_path: Path) -> None:
    grid = square_positions(4)
    assert grid.coordinates is not None
    final = np.stack([sinusoid_nd(grid.coordinates, 8), np.random.default_rng(1).normal(size=(16, 8))])
    write_arrays(tmp_path / "tables.npz", {"initial": final[:, None], "final": final[:, None]})
    found = {metric: values for _, metric, values in measure_read_out(tmp_path, grid, 0, "grid")}
    assert list(found) == ["position_mae", "position_mae_coordinates", "order_accuracy"]
    true, noise = found["position_mae_coordinates"]
    assert true < 0.5 < noise


def test_each_seed_s_first_table_is_read_back_with_its_own_contents(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    final, contents = random.normal(size=(3, 2, 16, 8)), random.normal(size=(3, 4, 8)).astype(np.float32)
    final[0, 0], final[1, 1, 0, 0] = 0, np.nan
    write_arrays(tmp_path / "tables.npz", {"initial": final, "final": final})
    weights = {"embedding.linear.weight": contents, "embedding.linear.bias": np.zeros((3, 1, 8), np.float32)}
    write_weights(tmp_path / "weights.safetensors", weights)
    found = {metric: values for _, metric, values in measure_read_back(tmp_path, 0, "grid")}
    assert found["content_accuracy"][0] == 1 and found["position_accuracy"][0] == 1 / 16
    assert np.isnan(found["content_accuracy"][1]) and found["position_accuracy"][2] > 1 / 16


def test_mirroring_is_the_mean_over_blocks_and_beside_no_coordinates_nothing(tmp_path: Path) -> None:
    grid = square_positions(4)
    assert grid.coordinates is not None
    true = sinusoid_nd(grid.coordinates, 32)
    final = np.stack([np.stack([true, 2 * true]), np.zeros((2, 16, 32)), np.full((2, 16, 32), np.nan)])
    write_arrays(tmp_path / "tables.npz", {"initial": final, "final": final})
    found = {metric: values for _, metric, values in measure_mirroring(tmp_path, grid)}
    assert list(found) == ["procrustes", "procrustes_equal_size", "stress"]
    # half the length of the sinusoid, 16 with 16 pairs of columns of squares that sum to 1 in each of 16 rows
    np.testing.assert_allclose(found["procrustes"], [8, 16, np.nan], atol=1e-5)
    np.testing.assert_allclose(found["procrustes_equal_size"], [0, np.nan, np.nan], atol=1e-9)
    assert not list(measure_mirroring(tmp_path, replace(grid, coordinates=None)))
