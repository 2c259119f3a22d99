"""The stage end to end at the smallest scale: what its file holds, and what it refuses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from stages.files import artifacts
from stages.parameters import params
from stages.tasks.network import graphs, simulate
from stages.tasks.network.rate_network import RateNetwork

PARAMS = Path(__file__).parents[3] / "params.yaml"
DATA = params.load(PARAMS).scales["smoke"].network.data
SIZES = {"train": DATA.train_frames, "test": DATA.test_frames, "validation": DATA.validation_frames}


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def simulated(seed: int = 0, **network: Any) -> artifacts.Arrays:
    """Arrays that the stage writes at scale smoke, with these settings of the section `network`."""
    values = yaml.safe_load(PARAMS.read_text())
    values |= {"seed": seed, "scale": "smoke", "network": values["network"] | network}
    Path("params.yaml").write_text(yaml.safe_dump(values))
    simulate.main()
    return artifacts.read_arrays(simulate.FRAMES)


def test_arrays_are_as_other_stages_expect_them() -> None:
    arrays = simulated()
    for split, n_frames in SIZES.items():
        frames, masks = arrays[f"{split}_frames"], arrays[f"{split}_masks"]
        assert frames.shape == masks.shape == (n_frames, 15)
        assert frames.dtype == np.float32 and masks.dtype == np.bool_
        assert (masks.sum(axis=1) == 8).all()
    assert arrays["communities"].dtype == np.int64
    assert arrays["adjacency"].dtype == np.float64 and not np.diag(arrays["adjacency"]).any()
    assert "coordinates" not in arrays


def test_frames_are_z_scored_with_training_moments() -> None:
    arrays = simulated()
    training = arrays["train_frames"].astype(np.float64)
    np.testing.assert_allclose(training.mean(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(training.std(axis=0), 1, atol=1e-6)
    assert np.abs(arrays["test_frames"].mean(axis=0)).max() > 1e-3  # own moments would make it 0


def test_communities_show_in_the_activity() -> None:
    arrays = simulated()
    same = arrays["communities"][:, None] == arrays["communities"][None]
    correlation = np.corrcoef(arrays["train_frames"].T)
    assert correlation[same & ~np.eye(15, dtype=bool)].mean() > correlation[~same].mean() + 0.2


def test_the_seed_decides_and_splits_are_separate_draws() -> None:
    first, again, other = simulated(), simulated(), simulated(seed=1)
    for name in first:
        np.testing.assert_array_equal(first[name], again[name])
    assert not np.array_equal(first["adjacency"], other["adjacency"])
    for split in SIZES:
        assert not np.array_equal(first[f"{split}_frames"], other[f"{split}_frames"])
        assert not np.array_equal(first[f"{split}_masks"], other[f"{split}_masks"])
    assert not np.array_equal(first["test_masks"], first["validation_masks"])
    assert not np.array_equal(first["test_frames"], first["validation_frames"])


def test_steppers_agree_on_one_wiener_path() -> None:
    euler, of_heun = simulated(dt_s=0.02), simulated(dt_s=0.02, stepper="heun")
    difference = np.abs(euler["train_frames"] - of_heun["train_frames"]).max()
    assert 0 < difference < 0.2


@pytest.mark.parametrize(("graph", "nodes", "dim"), [("lattice_2d", 16, 2), ("lattice_3d", 27, 3)])
def test_lattices_carry_their_sites(graph: str, nodes: int, dim: int) -> None:
    arrays = simulated(graph=graph, nodes=nodes)
    assert arrays["coordinates"].shape == (nodes, dim)
    assert "communities" not in arrays


def test_a_file_decides_the_nodes_and_self_connections_are_not_positions() -> None:
    weights = np.array([[0.5, 2.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])
    np.savetxt("weights.csv", weights, delimiter=",")
    arrays = simulated(graph="file", adjacency="weights.csv")
    assert arrays["train_frames"].shape == (DATA.train_frames, 3)
    np.testing.assert_array_equal(arrays["adjacency"], weights - np.diag([0.5, 0, 0]))


def test_record_orders_frames_by_trajectory() -> None:
    settings = params.load(PARAMS).network
    network = RateNetwork(graphs.scaled_to(graphs.ring(4).adjacency, 0.5), 1.0, 50.0, 0.4)
    frames = simulate.record(network, settings, 95, 10, np.random.default_rng(0))
    assert frames.shape == (95, 4)
    jumps = np.abs(np.diff(frames, axis=0)).mean(axis=1)  # tau is 25 frames, so only a new trajectory jumps
    assert jumps[9::10].mean() > 2 * np.delete(jumps, np.s_[9::10]).mean()


def test_recording_starts_in_the_stationary_state() -> None:
    settings = params.load(PARAMS).network
    network = RateNetwork(np.zeros((4, 4)), 1.0, 10.0, 0.4)
    frames = simulate.record(network, settings, 2000, 2000, np.random.default_rng(0))
    np.testing.assert_allclose(frames.var(), 0.4**2 / (2 * 10.0), rtol=0.1)  # Ornstein-Uhlenbeck


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"graph": "file"}, "adjacency: null given with graph: file"),
        ({"graph": "lattice_2d"}, "nodes: 15 do not fill a 2-D lattice .* take 9 or 16"),
        ({"communities": 4}, "nodes: 15 do not divide into 4"),
        ({"sample_every_s": 0.12}, "sample_every_s: 0.12 is no whole multiple of dt_s 0.05"),
        ({"dt_s": 2.0}, "dt_s: 2 is too long at spectral radius 0.95"),
        ({"noise": 0.0}, "noise: node 0 is constant over .* training frames"),
    ],
)
def test_bad_settings_are_one_line(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        simulated(**settings)
    assert "\n" not in str(error.value)
    assert not simulate.FRAMES.exists()
