from pathlib import Path

import numpy as np
from made_up import SWEEP, WITH_DATA

from stages import map_attention
from stages.files import artifacts


def test_every_trained_configuration_has_rows_and_maps(analysed: Path) -> None:
    rows = artifacts.read_csv(analysed / map_attention.TABLE)
    assert list(rows.columns) == map_attention.COLUMNS
    everyone = {"focus", *SWEEP}
    for task in WITH_DATA:
        skipped = {"sinusoidal_nd"} if task == "network" else set()
        assert set(rows[rows.task == task].encoding) == everyone - skipped
        maps = artifacts.read_arrays(analysed / map_attention.ATTENTION / f"{task}.npz")
        assert {name.split("__")[0] for name in maps} == everyone - skipped


def test_maps_are_means_of_weights_that_sum_to_one(analysed: Path) -> None:
    maps = artifacts.read_arrays(analysed / map_attention.ATTENTION / "grid.npz")
    assert maps["focus__block0_binary"].shape == (2, 1, 16, 16)
    assert maps["focus__block1"].shape == (2, 1, 1, 16)
    for weights in maps.values():
        sums = weights.sum(axis=-1)
        np.testing.assert_allclose(sums[np.isfinite(sums)], 1, rtol=1e-5)
    of_complexities = [maps[f"focus__block0_{name}"] for name in ("binary", "ternary", "quaternary")]
    np.testing.assert_allclose(np.mean(of_complexities, axis=0), maps["focus__block0"], rtol=1e-4)


def test_a_target_s_map_is_that_of_its_puzzles(analysed: Path) -> None:
    puzzles = artifacts.read_arrays(analysed / "data/tasks/grid/puzzles.npz")["validation_puzzles"]
    maps = artifacts.read_arrays(analysed / map_attention.ATTENTION / "grid.npz")
    share = np.bincount(puzzles.argmax(axis=1), minlength=16) / len(puzzles)
    assert np.isnan(maps["focus__by_target"][0, 0, :, 0]).tolist() == (share == 0).tolist()
    mean = np.nansum(maps["focus__by_target"] * share[:, None], axis=2)
    np.testing.assert_allclose(mean, maps["focus__block1"][:, :, 0], rtol=1e-4)
