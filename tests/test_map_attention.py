from pathlib import Path

import numpy as np
import pytest
from made_up import SWEEP, project

from stages import map_attention
from stages.files import artifacts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        made = tmp_path_factory.mktemp("attend")
        project(made, SWEEP)
        patch.chdir(made)
        map_attention.main()
        return made


def test_every_trained_configuration_has_rows_and_maps(folder: Path) -> None:
    rows = artifacts.read_csv(folder / map_attention.TABLE)
    assert list(rows.columns) == map_attention.COLUMNS
    everyone = {"focus", *SWEEP}
    for task in map_attention.TASKS:
        skipped = {"sinusoidal_nd"} if task == "network" else set()
        assert set(rows[rows.task == task].encoding) == everyone - skipped
        maps = artifacts.read_arrays(folder / map_attention.ATTENTION / f"{task}.npz")
        assert {name.split("__")[0] for name in maps} == everyone - skipped


def test_maps_are_means_of_weights_that_sum_to_one(folder: Path) -> None:
    maps = artifacts.read_arrays(folder / map_attention.ATTENTION / "grid.npz")
    assert maps["focus__block0_binary"].shape == (2, 1, 16, 16)
    assert maps["focus__block1"].shape == (2, 1, 1, 16)
    for weights in maps.values():
        sums = weights.sum(axis=-1)
        np.testing.assert_allclose(sums[np.isfinite(sums)], 1, rtol=1e-5)
    of_complexities = [maps[f"focus__block0_{name}"] for name in ("binary", "ternary", "quaternary")]
    np.testing.assert_allclose(np.mean(of_complexities, axis=0), maps["focus__block0"], rtol=1e-4)


def test_a_target_s_map_is_that_of_its_puzzles(folder: Path) -> None:
    puzzles = artifacts.read_arrays(folder / "data/grid/puzzles.npz")["validation_puzzles"]
    maps = artifacts.read_arrays(folder / map_attention.ATTENTION / "grid.npz")
    share = np.bincount(puzzles.argmax(axis=1), minlength=16) / len(puzzles)
    assert np.isnan(maps["focus__by_target"][0, 0, :, 0]).tolist() == (share == 0).tolist()
    mean = np.nansum(maps["focus__by_target"] * share[:, None], axis=2)
    np.testing.assert_allclose(mean, maps["focus__block1"][:, :, 0], rtol=1e-4)
