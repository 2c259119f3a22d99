"""A task's tokens as the data folders hold them: true positions, known groups, and the trained tables."""

from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from stages.files import artifacts
from stages.measures import tables
from stages.parameters import params
from stages.positions import true_positions
from stages.positions.positions import Positions

MODELS = Path("data/models")
NETWORK = Path("data/network/frames.npz")
RECORDINGS = Path("data/recordings")
REGIONS = Path("data/reference/aal2_regions.csv")

Groups = dict[str, NDArray[Any]]


def positions(task: str, settings: params.Params) -> Positions:
    """What is truly known of the task's tokens."""
    if task == "grid":
        return true_positions.grid(settings.grid.order)
    if task == "network":
        return true_positions.network(network())
    if task == "recordings":
        networks = region_groups()["yeo7"].tolist()
        return true_positions.recordings(recordings(), networks)
    return true_positions.sequence(getattr(settings.sizes, task).data.tokens)


def groups(task: str, settings: params.Params) -> Groups:
    """Each token's group [n] by what groups them: none in a sequence or a network without communities."""
    if task == "grid":
        rows, columns = np.indices((settings.grid.order, settings.grid.order)).reshape(2, -1)
        return {"rows": rows, "columns": columns}
    if task == "network":
        return {name: array for name, array in network().items() if name == "communities"}
    return region_groups() if task == "recordings" else {}


def region_groups() -> Groups:
    """Yeo-7 network and hemisphere of each recorded region; one in no network is a group of its own."""
    labels = recordings()["labels"]
    regions = artifacts.read_csv(REGIONS).set_index("label").reindex(labels)
    networks = regions["yeo7"].fillna("").to_numpy(str)
    alone = np.char.add("region ", np.arange(len(labels)).astype(str))
    hemispheres = regions["hemisphere"].fillna("").to_numpy(str)
    return {"yeo7": np.where(networks == "", alone, networks), "hemispheres": hemispheres}


def network() -> artifacts.Arrays:
    return artifacts.read_arrays(artifacts.require(NETWORK, "simulate_network"))


def recordings() -> artifacts.Arrays:
    return artifacts.read_arrays(artifacts.require(RECORDINGS, "prepare_recordings"))


def trained_tables(
    task: str, settings: params.Params, state: Literal["initial", "final"] = "final"
) -> artifacts.Arrays:
    """Tables [R, blocks, n, d] of every configuration that has some and not only diverged."""
    paths = {name: MODELS / task / name / "tables.npz" for name in settings.configurations(task)}
    stored = {name: artifacts.read_arrays(path) for name, path in paths.items() if path.exists()}
    return {name: arrays[state] for name, arrays in stored.items() if tables.finite(arrays["final"]).any()}
