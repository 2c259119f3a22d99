from pathlib import Path

import numpy as np
import pytest
from made_up import SWEEP, project

from stages import tokens
from stages.files.artifacts import read_arrays, write_arrays
from stages.parameters import params


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> params.Params:
    project(tmp_path, SWEEP)
    monkeypatch.chdir(tmp_path)
    return params.load()


def test_groups_are_the_tasks_own(settings: params.Params) -> None:
    grid = tokens.groups("grid", settings)
    assert grid["rows"].tolist()[:5] == [0, 0, 0, 0, 1] and grid["columns"].tolist()[:5] == [0, 1, 2, 3, 0]
    assert tokens.groups("network", settings)["communities"].tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert tokens.groups("probe", settings) == {}


def test_regions_in_no_network_are_alone(settings: params.Params) -> None:
    groups = tokens.groups("recordings", settings)
    assert groups["yeo7"][0] == "Somatomotor" and set(groups["hemispheres"]) == {"L", "R"}
    alone = [group for group in groups["yeo7"] if group.startswith("region ")]
    assert len(set(alone)) == len(alone) == 6


def test_positions_agree_with_groups(settings: params.Params) -> None:
    groups = tokens.groups("recordings", settings)["yeo7"]
    apart = tokens.positions("recordings", settings).distances["yeo7"]
    np.testing.assert_array_equal(apart, groups[:, None] != groups)
    assert tokens.positions("probe", settings).n_tokens == settings.sizes.probe.data.tokens


def test_tables_that_diverged_altogether_are_left_out(settings: params.Params) -> None:
    path = Path("data/models/grid/learned_s200/tables.npz")
    stored = read_arrays(path)
    write_arrays(path, stored | {"final": np.full_like(stored["final"], np.nan)})
    found = tokens.trained_tables("grid", settings, "initial")
    assert set(found) == {"focus", "learned_s020", "sinusoidal_nd"}
    first = read_arrays(Path("data/models/grid/focus/tables.npz"))
    np.testing.assert_array_equal(found["focus"], first["initial"])
    np.testing.assert_array_equal(tokens.trained_tables("grid", settings)["focus"], first["final"])


def test_missing_data_name_their_stage(settings: params.Params) -> None:
    tokens.NETWORK.unlink()
    with pytest.raises(ValueError, match="simulate_network"):
        tokens.positions("network", settings)
