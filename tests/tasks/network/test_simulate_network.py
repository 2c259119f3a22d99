"""The stage end to end at the smallest scale: what its file holds, and what it refuses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changed_params import change_settings

from stages.files import artifacts
from stages.tasks.network import simulate
from stages.tasks.network.facts import Settings
from stages.tasks.network.rate_network import RateNetwork

SETTINGS = change_settings({}).section("network", Settings)
SIZES = {"train": 512, "test": 128, "validation": 128}


def simulate_frames(root: Path, seed: int = 0, **network: Any) -> artifacts.Arrays:
    """Arrays that the stage writes at scale smoke, with these settings of the section `network`."""
    changes = {"seed": seed} | {f"network.{name}": value for name, value in network.items()}
    simulate.make(change_settings(changes), root, root / "made")
    return artifacts.read_arrays(root / "made")


def test_arrays_are_as_other_stages_expect_them(tmp_path: Path) -> None:
    arrays = simulate_frames(tmp_path)
    for split, n_frames in SIZES.items():
        frames, masks = arrays[f"{split}_frames"], arrays[f"{split}_masks"]
        assert frames.shape == masks.shape == (n_frames, 15)
        assert frames.dtype == np.float32 and masks.dtype == np.bool_
        assert (masks.sum(axis=1) == 8).all()
    assert arrays["adjacency"].dtype == np.float64 and not np.diag(arrays["adjacency"]).any()
    assert "coordinates" not in arrays
    training = arrays["train_frames"].astype(np.float64)  # z-scored, and showing communities
    np.testing.assert_allclose([training.mean(axis=0), training.std(axis=0) - 1], 0, atol=1e-6)
    assert np.abs(arrays["test_frames"].mean(axis=0)).max() > 1e-3  # own moments would make it 0
    same = arrays["communities"][:, None] == arrays["communities"]
    correlation = np.asarray(np.corrcoef(training.T))
    assert correlation[same & ~np.eye(15, dtype=bool)].mean() > correlation[~same].mean() + 0.2


def test_the_seed_decides_and_splits_are_separate_draws(tmp_path: Path) -> None:
    first, again, other = (simulate_frames(tmp_path, seed) for seed in (0, 0, 1))
    for name in first:
        np.testing.assert_array_equal(first[name], again[name])
    drawn = ["adjacency", *(f"{split}_{kind}" for split in SIZES for kind in ("frames", "masks"))]
    assert not any(np.array_equal(first[name], other[name]) for name in drawn)
    for kind in ("frames", "masks"):
        assert not np.array_equal(first[f"test_{kind}"], first[f"validation_{kind}"])


def test_a_file_decides_the_nodes_and_self_connections_are_not_positions(tmp_path: Path) -> None:
    weights = np.array([[0.5, 2.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])
    np.savetxt(tmp_path / "weights.csv", weights, delimiter=",")
    arrays = simulate_frames(tmp_path, graph="file", adjacency="weights.csv")
    assert arrays["train_frames"].shape == (512, 3)
    np.testing.assert_array_equal(arrays["adjacency"], weights - np.diag([0.5, 0, 0]))


def test_recording_starts_in_the_stationary_state() -> None:
    network = RateNetwork(np.zeros((4, 4)), 1.0, 10.0, 0.4)
    frames = simulate.record(network, SETTINGS, 2000, 2000, np.random.default_rng(0))
    np.testing.assert_allclose(frames.var(), 0.4**2 / (2 * 10.0), rtol=0.1)  # Ornstein-Uhlenbeck


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"graph": "file"}, "adjacency: null given with graph: file"),
        (
            {"adjacency": "weights.csv"},
            "adjacency: 'weights.csv' given with graph: modular, expected null",
        ),
        ({"graph": "lattice_2d"}, "nodes: 15 do not fill a 2-D lattice"),
        ({"sample_every_s": 0.12}, "sample_every_s: 0.12 is no whole multiple of dt_s 0.05"),
        ({"noise": 0.0}, "noise: node 0 is constant over .* training frames"),
    ],
)
def test_bad_settings_are_one_line(settings: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"^network\.{message}[^\n]*$"):
        simulate_frames(tmp_path, **settings)
    assert not (tmp_path / "made").exists()
