"""Frames of a simulated stochastic network, separate trajectories per split, with evaluation masks."""

import math
from itertools import islice
from pathlib import Path

import numpy as np
import psutil
from tqdm import tqdm

from stages.core.positions.positions import Matrix
from stages.core.randomness.masks import check_share, draw_masks
from stages.core.randomness.streams import generator
from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.files.own import find_own
from stages.parameters.params import Params
from stages.tasks.bases.held_out import hold_out
from stages.tasks.network import graphs, steppers
from stages.tasks.network.facts import FACTS, Data, Settings, find_neighbours, graph_positions
from stages.tasks.network.graph_files import from_file
from stages.tasks.network.rate_network import (
    RateNetwork,
    burn_in_s,
    check_length,
    simulate,
    steps_between,
    tell_coarse_step,
)
from stages.tasks.network.scaling import scale_to, tell_self_connections

ROUNDING = 1e-12  # of a number of float64, relative, after many sums
COPIES = 24  # bytes of each node and frame, in the forms that are held at once


def make(parameters: Params, root: Path, target: Path) -> None:
    """Write the frames, masks and graph of the network to the folder `target`."""
    seed, settings = parameters.seed, parameters.section("network", Settings)
    data = parameters.data("network", Data)
    graph = build_graph(settings, root, generator(seed, "network", "graph"))
    weights = scale_to(graph["adjacency"], settings.spectral_radius)
    tell_self_connections(graph["adjacency"], settings.spectral_radius)
    network = RateNetwork(weights, settings.gain, settings.tau_s, settings.noise)
    sizes = {"train": data.train_frames, "test": data.test_frames, "validation": data.validation_frames}
    check_share("network.mask_fraction", settings.mask_fraction, len(weights))
    check_memory(len(weights), sum(sizes.values()) + data.trajectories)
    activity: dict[str, Matrix] = {}
    arrays: artifacts.Arrays = {}
    for split, n_frames in sizes.items():
        trajectories = math.ceil(data.trajectories * n_frames / data.train_frames)
        activity_stream = generator(seed, "network", split, "activity")
        activity[split] = record(network, settings, n_frames, trajectories, activity_stream)
        masks_stream = generator(seed, "network", split, "masks")
        arrays[f"{split}_masks"] = draw_masks(n_frames, len(weights), settings.mask_fraction, masks_stream)
    for split, frames in z_score(activity, settings.noise).items():
        arrays[f"{split}_frames"] = frames.astype(np.float32)
    # self-connections of a given matrix shape the activity but say nothing of positions
    arrays |= graph | {"adjacency": graph["adjacency"] * (1 - np.eye(len(weights)))}
    pairs = generator(seed, "network", "held_out")
    arrays |= hold_out("network", find_neighbours(arrays), settings.held_out, arrays["train_masks"], pairs)
    artifacts.write_arrays(target / "frames.npz", arrays)
    tell_alike(arrays)
    tell_coarse_step(network, getattr(steppers, settings.stepper), settings.dt_s)


def check_memory(nodes: int, frames: int) -> None:
    """Raise InputError where frames and trajectories of all splits take more memory than there is."""
    needed, present = COPIES * nodes * frames, psutil.virtual_memory().total
    if needed > present:
        raise InputError(
            f"network: {frames} frames and trajectories of {nodes} nodes take {needed / 2**30:.3g} GiB, "
            f"expected at most this machine's {present / 2**30:.3g}; lower train_frames, test_frames, "
            "validation_frames or trajectories in scales of params.yaml"
        )


def tell_alike(graph: artifacts.Arrays) -> None:
    """Print that no table can be aligned with a graph whose pairs of nodes are all equally far."""
    known = graph_positions(graph).distances
    judging = FACTS.judging_reference(known)
    pairs = known[judging][~np.eye(len(known[judging]), dtype=np.bool_)]
    if np.ptp(pairs) == 0:
        print(
            f"note: network: {judging} is the same for all pairs of nodes, so alignment is not defined and "
            "stands empty in scores; to have it, take a graph whose pairs differ, as by 0 for weak edges"
        )


def build_graph(network: Settings, root: Path, random: np.random.Generator) -> artifacts.Arrays:
    """Build the graph that params.yaml names; with graph: file the file decides the number of nodes."""
    if network.adjacency is not None and network.graph != "file":
        raise InputError(
            f"network.adjacency: '{network.adjacency}' given with graph: {network.graph}, expected null, as "
            "it is not read; set graph: file, or leave it out"
        )
    match network.graph:
        case "modular":
            return graphs.modular(
                network.nodes, network.communities, network.between_weight, network.between_degree, random
            )
        case "ring":
            return graphs.ring(network.nodes)
        case "lattice_2d":
            return graphs.lattice(network.nodes, 2)
        case "lattice_3d":
            return graphs.lattice(network.nodes, 3)
        case "file":
            if network.adjacency is None:
                raise InputError("network.adjacency: null given with graph: file; give a CSV matrix's path")
            return from_file(find_own(root, network.adjacency, "network.adjacency"))


def record(
    network: RateNetwork,
    settings: Settings,
    n_frames: int,
    trajectories: int,
    random: np.random.Generator,
) -> Matrix:
    """Record frames [n_frames, n] after a burn-in from rest, one trajectory after another.

    The last trajectory is cut short.
    """
    stepper: steppers.Stepper = getattr(steppers, settings.stepper)
    each, stationary_s = math.ceil(n_frames / trajectories), burn_in_s(network)
    check_length(stationary_s, each, settings.sample_every_s, settings.dt_s)
    steps = steps_between(settings.sample_every_s, settings.dt_s)
    burn_in = math.ceil(stationary_s / settings.sample_every_s)
    rest = np.zeros((trajectories, len(network.weights)))
    frames = islice(simulate(network, stepper, rest, settings.dt_s, steps, random), burn_in + each)
    # silent when piped, and where it ends within seconds
    shown = tqdm(frames, "simulate_network", burn_in + each, disable=None, delay=3)
    kept = list(islice(shown, burn_in, None))
    return np.stack(kept, axis=1).reshape(-1, len(network.weights))[:n_frames]


def z_score(activity: dict[str, Matrix], noise: float) -> dict[str, Matrix]:
    """Z-score frames [T, n] of every split, by the training mean and standard deviation of each node."""
    training = activity["train"]
    with np.errstate(over="ignore", invalid="ignore"):
        mean, deviation = training.mean(axis=0), training.std(axis=0)
    if not np.isfinite(deviation).all():
        raise InputError(
            f"network.noise: {noise:g} leads to activity of {np.abs(training).max():.2g}, the square of "
            "which is beyond finite numbers, expected activity about as large as spectral_radius; lower noise"
        )
    still = deviation <= ROUNDING * np.abs(training).max(axis=0)
    if still.any():
        raise InputError(
            f"network.noise: {noise:g} leaves node {np.flatnonzero(still)[0]} constant over {len(training)} "
            "training frames; raise noise or train_frames"
        )
    return {split: (frames - mean) / deviation for split, frames in activity.items()}
