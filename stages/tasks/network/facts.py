"""The nonlinear stochastic network: parameters, positions and scores of the task `network`."""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from pydantic.dataclasses import dataclass
from scipy.spatial.distance import cdist

from stages.core.positions import distances
from stages.core.positions.positions import Positions
from stages.core.settings.kinds import STRICT, Count, Fraction, NonNegative, Positive, Share
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.bases.shared_facts import MaskedFacts
from stages.tasks.facts import Groups

OF_COMMUNITIES = ("communities", "between_weight", "between_degree")  # of a modular graph alone


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Section `network` of params.yaml: tau dx = (-x + W tanh(gain x)) dt + noise dW."""

    graph: Literal["modular", "ring", "lattice_2d", "lattice_3d", "file"]
    nodes: Annotated[int, Field(ge=2, le=10_000)]  # weights of all pairs are held, several times
    communities: Count  # modular
    between_weight: NonNegative  # modular: weight of an edge between communities (within: 1)
    between_degree: NonNegative  # modular: mean number of such edges per node
    adjacency: str | None  # graph: file; a CSV matrix of weights
    spectral_radius: NonNegative  # to which the weights are scaled
    gain: NonNegative
    noise: NonNegative
    tau_s: Positive
    dt_s: Positive
    sample_every_s: Positive  # interval between recorded frames
    stepper: Literal["euler_maruyama", "heun"]
    mask_fraction: Fraction  # share of nodes hidden in each frame
    held_out: Share  # of each node's neighbours, never seen together with it in training


@dataclass(frozen=True, config=STRICT)
class Data:
    """Sizes of the data at a scale."""

    train_frames: Count
    test_frames: Count
    validation_frames: Count
    trajectories: Count  # simulated side by side for the training frames


class NetworkFacts(MaskedFacts):
    name = "network"
    title = "Simulated network"
    settings = Settings
    data = Data
    made_by = "stages.tasks.network.simulate"
    trained_with = ("network.mask_fraction",)
    scored_with = ("network.mask_fraction",)
    # what the graph was drawn from; a graph without communities has its lattice or its edges
    references = ("communities", "lattice_distance", "graph_distance")
    maps = ("communities", "graph_distance", "lattice_distance")
    further_references = ("resistance_distance",)
    floors = (*MaskedFacts.floors, "floor_trees")
    group_word = "community "

    def idle(self, settings: Params) -> dict[str, str]:
        own = settings.section(self.name, Settings)
        if own.graph == "modular":
            return {} if own.between_degree else {"network.between_weight": "network.between_degree: 0"}
        keys = OF_COMMUNITIES if own.graph != "file" else ("nodes", *OF_COMMUNITIES)
        return {f"network.{key}": f"network.graph: {own.graph}" for key in keys}

    def positions(self, settings: Params, data: Arrays) -> Positions:
        return graph_positions(data)

    def groups(self, data: Arrays) -> Groups:
        return {name: data[name] for name in ("communities",) if name in data}

    def token_names(self, data: Arrays, n: int) -> list[str]:
        return [f"node {node}" for node in range(n)]


FACTS = NetworkFacts()


def find_neighbours(graph: Arrays) -> NDArray[np.bool_]:
    """Find nodes of the same community [n, n], or joined by an edge where there are no communities."""
    if "communities" in graph:
        labels = graph["communities"]
        return np.asarray((labels[:, None] == labels) & ~np.eye(len(labels), dtype=np.bool_))
    return np.asarray((graph["adjacency"] != 0) | (graph["adjacency"].T != 0))


def graph_positions(data: Arrays) -> Positions:
    """Place nodes of a graph: `adjacency` [n, n]; if any, `communities` [n], `coordinates` [n, dim].

    Correlations of `train_frames` [T, n], if any, are the functional connectivity.
    """
    adjacency = data["adjacency"].astype(np.float64)
    coordinates = data.get("coordinates")
    known = {"graph_distance": distances.hops(adjacency)}
    if known["graph_distance"].max() < len(adjacency):  # connected
        known["resistance_distance"] = distances.resistance(np.abs(adjacency))
    if "communities" in data:
        known["communities"] = distances.different(data["communities"])
    if coordinates is not None:
        coordinates = coordinates.astype(np.float64)
        known["lattice_distance"] = cdist(coordinates, coordinates)
    functional = None
    if "train_frames" in data:
        functional = np.atleast_2d(np.corrcoef(data["train_frames"].astype(np.float64), rowvar=False))
    return Positions(len(adjacency), coordinates, adjacency, functional, known)
