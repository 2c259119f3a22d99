"""Parcels of the cortical surface: labels by hemisphere and vertex, places, networks.

Vertices are those of the standard mesh of the Human Connectome Project, 32 492 a hemisphere (fs_LR 32k).
"""

from dataclasses import dataclass
from pathlib import Path

import nibabel
import numpy as np
import pandas as pd
from nibabel.cifti2 import BrainModelAxis, LabelAxis, ParcelsAxis
from numpy.typing import NDArray

from stages.core.settings.errors import InputError
from stages.files.artifacts import name_damage, open_unpacked, require
from stages.tasks.recordings.readers.images import load_cifti
from stages.tasks.recordings.readers.interface import Matrix
from stages.tasks.recordings.readers.means import find_middles

VERTICES = 32492
# hemispheres, and the mean cortex of each, as fetched
SIDES = {
    "CIFTI_STRUCTURE_CORTEX_LEFT": "left.surf.gii",
    "CIFTI_STRUCTURE_CORTEX_RIGHT": "right.surf.gii",
}
FETCHED_BY = "stages fetch recordings"
SCALED = 0.01  # how far from whole a scale factor of a header may leave a number
SHOWN = 6  # names of parcels that are left out


@dataclass(frozen=True)
class Parcels:
    """regions: label and, where known, x, y, z, hemisphere and a grouping, a row for each parcel.

    vertices: CIFTI structure -> the row of each vertex's parcel [32492], -1 in none.
    """

    regions: pd.DataFrame
    vertices: dict[str, NDArray[np.int64]]


def read_glasser(folder: Path) -> Parcels:
    """Read the 360 parcels of Glasser et al. (2016) with the networks of Ji et al. (2019), as fetched.

    The files list the left hemisphere first, and of its vertices those of `grayl`.
    """
    labels, networks = read_packed(folder / "parcels.npz"), read_packed(folder / "networks.npz")
    present = read_packed(folder / "vertices.npz")
    start, vertices = 0, {}
    for structure, name in zip(SIDES, ("grayl", "grayr"), strict=True):
        stop = start + len(present[name])
        vertices[structure] = np.full(VERTICES, -1)
        vertices[structure][present[name]] = labels["map_all"][start:stop] - 1
        start = stop
    first = [int(np.argmax(labels["map_all"][:start] == number)) for number in range(1, 361)]
    names = labels["labels"][1:361]
    regions = pd.DataFrame({"label": names, "cole_anticevic": networks["labels"][networks["map_all"][first]]})
    regions["hemisphere"] = [name[0] for name in names]
    return Parcels(add_places(regions, vertices, folder), vertices)


def read_packed(path: Path) -> dict[str, NDArray[np.generic]]:
    """Read the arrays of a compressed .npz file."""
    require(path, FETCHED_BY)
    with name_damage(path), np.load(path, allow_pickle=False) as stored:
        return dict(stored)


def read_dlabel(path: Path, surfaces: Path) -> Parcels:
    """Read the cortical parcels of a dlabel file in the order of their numbers, without 0, which is none."""
    image, names, brain = load_cifti(
        path, LabelAxis, BrainModelAxis, "labels of vertices in it, expected a .dlabel.nii file"
    )
    if len(names) != 1:
        raise InputError(
            f"{path}: {len(names)} maps in it ({', '.join(names.name)}), expected one; take one out with "
            "wb_command -cifti-merge ONE.dlabel.nii -cifti THIS.dlabel.nii -column NUMBER"
        )
    with name_damage(path), open_unpacked(path) as file:
        values = np.asarray(image.from_stream(file).dataobj)[0]
    numbers = read_numbers(values, path)
    check_mesh(brain, path)
    known = {number: label for number, (label, _) in names.label[0].items() if number != 0}
    cortex = np.isin(brain.name, [*SIDES])
    used, outside = (sorted({*numbers[part].tolist()} & known.keys()) for part in (cortex, ~cortex))
    rows = pd.Index(used).get_indexer(numbers)
    vertices = {structure: np.full(VERTICES, -1) for structure in SIDES}
    for structure, part, model in brain.iter_structures():
        if structure in SIDES:
            vertices[structure][model.vertex] = rows[part]
    say_left_out([known[number] for number in outside], path)
    regions = pd.DataFrame({"label": [known[number] for number in used]})
    return Parcels(add_places(regions, vertices, surfaces), vertices)


def say_left_out(names: list[str], path: Path) -> None:
    """Say which parcels lie outside the cortex, where series are not read."""
    if names:
        print(
            f"{path}: left out is what lies outside the cortex, of {len(names)} parcels "
            f"({', '.join(names[:SHOWN])}{', …' * (len(names) > SHOWN)}); for them, give a .ptseries.nii"
        )


def say_between(parcels: Parcels, path: Path) -> None:
    """Say which parcels have vertices of both hemispheres: their mean place is in neither."""
    sides = [set(rows[rows >= 0].tolist()) for rows in parcels.vertices.values()]
    if both := sorted(set.intersection(*sides)):
        print(
            f"{path}: {len(both)} of {len(parcels.regions)} regions (the first is "
            f"{parcels.regions.label[both[0]]}) have vertices of both hemispheres and are placed between "
            "them; number the hemispheres apart, or give recordings.positions"
        )


def add_places(regions: pd.DataFrame, vertices: dict[str, NDArray[np.int64]], folder: Path) -> pd.DataFrame:
    """Add the mean place of each parcel's vertices on the mean cortex, mm; NaN for none."""
    surfaces = np.concatenate([read_surface(folder / name) for name in SIDES.values()])
    rows = np.concatenate([vertices[structure] for structure in SIDES])
    x, y, z = find_middles(surfaces, rows, len(regions)).T
    return regions.assign(x=x, y=y, z=z)


def read_surface(path: Path) -> Matrix:
    """Read places [32492, 3] of the vertices of a .surf.gii file, mm."""
    require(path, FETCHED_BY)
    with name_damage(path):
        surface = nibabel.gifti.GiftiImage.from_filename(path)
        places = np.asarray(surface.agg_data("pointset"), np.float64)
        if places.shape != (VERTICES, 3):
            raise InputError(f"{len(places)} vertices, expected {VERTICES}")
    return places


def check_mesh(brain: BrainModelAxis | ParcelsAxis, path: Path) -> None:
    """Raise InputError unless what is there of the cortex has the standard mesh."""
    for structure in SIDES:
        vertices = brain.nvertices.get(structure, VERTICES)
        if vertices != VERTICES:
            raise InputError(
                f"{path}: {vertices} vertices in {structure}, expected {VERTICES} (fs_LR 32k); "
                "resample it with wb_command -cifti-resample"
            )


def read_numbers(values: NDArray[np.generic], path: Path) -> NDArray[np.int32]:
    """Read numbers of regions from values as files scale them.

    Raises InputError for one that is not whole.
    """
    numbers = values.astype(np.float64)
    whole = np.rint(numbers)
    with np.errstate(invalid="ignore"):  # of infinite ones
        wrong = ~((np.abs(numbers - whole) <= SCALED) & (np.abs(whole) <= np.iinfo(np.int32).max))
    if wrong.any():
        raise InputError(
            f"{path}: value {numbers[wrong][0]:g} in it, expected whole numbers of regions, 0 outside them; "
            "make it again, resampled by nearest neighbour"
        )
    return whole.astype(np.int32)
