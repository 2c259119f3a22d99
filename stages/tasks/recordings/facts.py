"""Resting-state fMRI: parameters, positions and scores of the task `recordings`."""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from pydantic.dataclasses import dataclass
from scipy.spatial.distance import cdist

from stages.files.artifacts import Arrays
from stages.parameters.kinds import STRICT, Count, Fraction, NonNegative
from stages.parameters.params import Params
from stages.positions import distances
from stages.positions.positions import Positions
from stages.tasks.bases.shared_facts import MaskedFacts
from stages.tasks.facts import Arrangement, Groups

# Networks of Yeo et al. (2011) in their order; "" for regions that lie in none
NETWORKS = ["Visual", "Somatomotor", "Dorsal Attention", "Ventral Attention", "Limbic", "Frontoparietal"]
NETWORKS += ["Default", ""]


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Section `recordings` of params.yaml."""

    # pip is given these two: no option, path or address
    package: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    version: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.!+_-]*$")]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]  # of the package's wheel
    regions: Literal["cortical80", "all"]  # all: 94, with hippocampus, amygdala, basal ganglia and thalamus
    validation_subjects: Annotated[list[str], Field(min_length=1)]  # left out of training
    ridge: NonNegative  # added to the training covariance of the Gaussian floor
    mask_fraction: Fraction  # share of regions hidden in each frame


@dataclass(frozen=True, config=STRICT)
class Data:
    """Sizes of the data at a scale."""

    frame_step: Count  # every frame_step-th frame is used for training


class RecordingsFacts(MaskedFacts):
    name = "recordings"
    title = "fMRI recordings"
    settings = Settings
    data = Data
    made_by = "stages.tasks.recordings.prepare"
    given = (Path("data/raw/recordings"), Path("data/reference/aal2_regions.csv"))
    # what a model of the frames is fitted to
    references = ("functional",)
    rivals = ("functional", "mm_distance")
    maps = ("mm_distance", "structural", "functional")
    in_brain = True
    plane = "the brain from above, front up (mm)"

    def positions(self, settings: Params, data: Arrays) -> Positions:
        return region_positions(data)

    def groups(self, data: Arrays) -> Groups:
        """Yeo-7 network and hemisphere of each region; a region in no network is a group of its own."""
        return {"yeo7": networks_or_region(data["yeo7"]), "hemispheres": data["hemisphere"]}

    def arrange(self, data: Arrays, n: int) -> Arrangement:
        """By network, left before right hemisphere."""
        networks, hemispheres = data["yeo7"].tolist(), data["hemisphere"].tolist()
        tokens = sorted(range(n), key=lambda region: (NETWORKS.index(networks[region]), hemispheres[region]))
        return Arrangement(tokens, [networks[region] or "none" for region in tokens])

    def token_names(self, data: Arrays, n: int) -> list[str]:
        return [str(label) for label in data["labels"]]


FACTS = RecordingsFacts()


def region_positions(data: Arrays) -> Positions:
    """Brain regions: `coordinates` [n, 3] in mm, training subjects' mean `structural`, `functional` [n, n].

    With `yeo7` [n], each region's network, "" where it belongs to none, also the reference of that name.
    """
    coordinates = data["coordinates"].astype(np.float64)
    structural = data["structural"].astype(np.float64)
    functional = data["functional"].astype(np.float64)
    known = {
        "mm_distance": cdist(coordinates, coordinates),
        "structural": distances.weakness(structural),
        "functional": distances.hollow(1.0 - functional),
    }
    if "yeo7" in data:
        known["yeo7"] = distances.different(networks_or_region(data["yeo7"]))
    return Positions(len(coordinates), coordinates, structural, functional, known)


def networks_or_region(networks: NDArray[np.str_]) -> NDArray[np.str_]:
    """Each region's network; "region <index>" where it belongs to none."""
    lone = np.char.add("region ", np.arange(len(networks)).astype(str))
    return np.where(networks == "", lone, networks)
