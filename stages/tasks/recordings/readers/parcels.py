"""Parcels of the cortical surface: labels by hemisphere and vertex, places, networks.

Vertices are those of the standard mesh of the Human Connectome Project, 32 492 a hemisphere (fs_LR 32k).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import nibabel
import numpy as np
import pandas as pd
from nibabel.cifti2 import BrainModelAxis, Cifti2Image, LabelAxis, ParcelsAxis
from numpy.typing import NDArray
from scipy.sparse import csr_array

from stages.core.settings.errors import InputError
from stages.files.artifacts import name_damage, open_unpacked, require
from stages.tasks.recordings.readers.interface import Matrix

VERTICES = 32492
SIDES = {"CIFTI_STRUCTURE_CORTEX_LEFT": "L", "CIFTI_STRUCTURE_CORTEX_RIGHT": "R"}
FETCHED_BY = "stages fetch recordings"
SCALED = 0.01  # how far from whole a scale factor of a header may leave a number
RECORDED = 0.5  # share of a region's places
SHOWN = 6  # names of parcels that are left out
SURFACES = ("left.surf.gii", "right.surf.gii")


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
    with name_damage(path):
        image = nibabel.load(path)
        if not isinstance(image, Cifti2Image) or image.ndim != 2:
            raise InputError("no CIFTI labels")
        names, brain = (image.header.get_axis(axis) for axis in (0, 1))
        if not (isinstance(names, LabelAxis) and isinstance(brain, BrainModelAxis)):
            raise InputError("no labels of vertices in it, expected a .dlabel.nii file")
        with open_unpacked(path) as file:
            values = np.asarray(image.from_stream(file).dataobj)[0]
    if len(names) != 1:
        raise InputError(
            f"{path}: {len(names)} maps in it ({', '.join(names.name)}), expected one; take one out with "
            "wb_command -cifti-merge ONE.dlabel.nii -cifti THIS.dlabel.nii -column NUMBER"
        )
    numbers = read_numbers(values, path)
    check_mesh(brain, path)
    tables = {structure: np.zeros(VERTICES, np.int64) for structure in SIDES}
    for structure, part, model in brain.iter_structures():
        if structure in SIDES:
            tables[structure][model.vertex] = numbers[part]
    known = {number: label for number, (label, _) in names.label[0].items() if number != 0}
    used = sorted(set(np.unique(list(tables.values())).tolist()) & set(known))
    row = {number: place for place, number in enumerate(used)}
    vertices = {
        structure: np.array([row.get(number, -1) for number in table.tolist()])
        for structure, table in tables.items()
    }
    regions = pd.DataFrame({"label": [known[number] for number in used]})
    say_left_out(brain, numbers, known, path)
    return Parcels(add_places(regions, vertices, surfaces), vertices)


def say_left_out(
    brain: BrainModelAxis, numbers: NDArray[np.int32], known: Mapping[int, str], path: Path
) -> None:
    """Say which parcels lie outside the cortex, where series are not read."""
    outside = np.unique(numbers[~np.isin(brain.name, [*SIDES])]).tolist()
    if names := [known[number] for number in outside if number in known]:
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
    places = {structure: read_surface(folder / name) for structure, name in zip(SIDES, SURFACES, strict=True)}
    totals, counts = np.zeros((len(regions), 3)), np.zeros(len(regions))
    for structure, rows in vertices.items():
        inside = rows >= 0
        np.add.at(totals, rows[inside], places[structure][inside])
        counts += np.bincount(rows[inside], minlength=len(regions))
    with np.errstate(invalid="ignore"):
        x, y, z = (totals / counts[:, None]).T
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


def weigh_means(rows: NDArray[np.int64], labels: list[str], path: Path) -> csr_array:
    """Weigh the mean of each region over its places [n, places]; rows [places], -1 in none.

    Raises InputError if a region has no place.
    """
    inside = np.flatnonzero(rows >= 0)
    sizes = np.bincount(rows[inside], minlength=len(labels))
    if not sizes.all():
        empty = [label for label, size in zip(labels, sizes, strict=True) if not size]
        raise InputError(
            f"{path}: region {empty[0]} is empty ({len(empty)} of {len(labels)} are); take a parcellation of "
            "what is in the file"
        )
    shape = len(labels), len(rows)
    return csr_array((1 / sizes[rows[inside]], (rows[inside], inside)), shape=shape)


def say_not_recorded(shares: NDArray[np.float64], labels: list[str], path: Path) -> None:
    """Say which regions are 0 in all frames in most of their places; shares: of others, of each region."""
    if (few := shares < RECORDED).any():
        first = int(few.argmax())
        print(
            f"{path}: {1 - shares[first]:.0%} of region {labels[first]} are 0 in all frames, as outside of "
            f"what was scanned ({few.sum()} of {len(labels)} regions are mostly so); its signal is the mean "
            "of the rest; where that is too little, leave these regions out of all files"
        )
