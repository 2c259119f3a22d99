"""The stage end to end at the smallest scale: what its file holds, and what it refuses."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changed_params import change_settings

from stages.files import artifacts
from stages.tasks.bases.held_out import find_new
from stages.tasks.network import simulate
from stages.tasks.network.facts import Settings
from stages.tasks.network.rate_network import RateNetwork

SETTINGS = change_settings({}).section("network", Settings)
SIZES = {"train": 512, "test": 128, "validation": 128}


def simulate_frames(root: Path, seed: int = 0, **network: Any) -> artifacts.Arrays:
    """Return arrays that the stage writes at scale smoke, with these settings of the section `network`."""
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


def test_a_node_that_varies_by_rounding_alone_is_constant() -> None:
    frames = 1 + 1e-16 * np.arange(12).reshape(6, 2) * [0, 1]
    with pytest.raises(ValueError, match=r"^network\.noise: 1e-16 leaves node 0 constant over 6 [^\n]*$"):
        simulate.z_score({"train": frames}, 1e-16)


@pytest.mark.parametrize(
    "sizes", [{"train_frames": 10**12}, {"validation_frames": 10**12}, {"trajectories": 10**12}]
)
def test_more_frames_than_memory_holds_are_refused_before_any(sizes: dict[str, int], tmp_path: Path) -> None:
    usual = {"train_frames": 512, "test_frames": 128, "validation_frames": 128, "trajectories": 8}
    changed = change_settings({"scales.smoke.network.data": usual | sizes})
    with pytest.raises(
        ValueError, match=r"^network: \d+ frames and trajectories of 15 nodes take .* GiB, [^\n]*$"
    ):
        simulate.make(changed, tmp_path, tmp_path / "made")


def save_dense(folder: Path, nodes: int, share: float = 1.0) -> None:
    """Draw random weights of that share of all pairs."""
    random = np.random.default_rng(0)
    weights = random.uniform(0.1, 1, (nodes, nodes)) * (random.uniform(size=(nodes, nodes)) < share)
    np.savetxt(folder / "dense.csv", weights, delimiter=",")


@pytest.mark.parametrize(
    ("nodes", "share", "held_out"), [(30, 1.0, 0.5), (10, 1.0, 0.25), (30, 0.6, 0.25), (64, 1.0, 0.05)]
)
def test_the_cure_for_pairs_of_a_dense_graph_helps(
    nodes: int, share: float, held_out: float, tmp_path: Path
) -> None:
    save_dense(tmp_path, nodes, share)
    dense: dict[str, Any] = {"graph": "file", "adjacency": "dense.csv", "held_out": held_out}
    with pytest.raises(ValueError, match=r"^network\.held_out: .* or held_out 0$") as refused:
        simulate_frames(tmp_path, **dense)
    fraction = re.search(r"take network\.mask_fraction (\S+),", str(refused.value))
    assert fraction
    arrays = simulate_frames(tmp_path, **dense, mask_fraction=float(fraction[1]))
    for split in SIZES:
        asked = find_new(arrays[f"{split}_masks"], arrays["neighbours"], arrays["held_out"])
        assert asked.sum() > 20


@pytest.mark.parametrize(
    "graph",
    [
        {"graph": "file", "adjacency": "dense.csv"},
        {"communities": 1, "between_degree": 0.0},
        {"graph": "ring", "nodes": 3},
    ],
)
def test_a_graph_that_tells_no_pair_apart_is_said(
    graph: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_dense(tmp_path, 8)
    simulate_frames(tmp_path, held_out=0.0)
    assert capsys.readouterr().out == ""
    simulate_frames(tmp_path, **graph, held_out=0.0)
    said = capsys.readouterr().out
    assert said.count("is the same for all pairs of nodes, so alignment is not defined") == 1


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
        ({"noise": 0.0}, "noise: 0 leaves node 0 constant over 512 training frames; raise noise"),
        ({"noise": 1e300}, "noise: 1e[+]300 leads to activity of .* beyond finite numbers, .*; lower noise"),
        ({"noise": 1e160}, "noise: 1e[+]160 leads to activity of .* beyond finite numbers"),
        ({"noise": 1e200, "spectral_radius": 0.0}, "noise: 1e[+]200 leads to activity of .* beyond"),
        ({"dt_s": 1e-9}, r"dt_s: 1e-09 asks for 3\.3e[+]11 steps, .* at most 1e[+]08.*; take a longer dt_s"),
        ({"tau_s": 1e9}, r"dt_s: 0\.05 asks for 4e[+]12 steps, .* a shorter tau_s or sample_every_s"),
        ({"sample_every_s": 1e9}, r"dt_s: 0\.05 asks for 1\.3e[+]12 steps, .* a shorter tau_s or sample"),
        ({"sample_every_s": 1e308}, "dt_s: 0.05 asks for inf steps"),
        ({"tau_s": 1e308}, "dt_s: 0.05 asks for inf steps"),
        ({"nodes": 3_000_000}, "nodes: 3000000 given, expected less than or equal to 10000"),
        ({"between_degree": 1e308}, "between_degree: 1e[+]308 asks for inf edges"),
        ({"between_weight": 1e308}, r"spectral_radius: the graph has weights of up to 1e[+]308, expected"),
        ({"held_out": 0.05}, r"held_out: 0\.05 of 4 neighbours or fewer holds out no pair, .* take 0\.25"),
    ],
)
def test_bad_settings_are_one_line(settings: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"^network\.{message}[^\n]*$"):
        simulate_frames(tmp_path, **settings)
    assert not (tmp_path / "made").exists()
