"""CIFTI series: dense ones averaged over the parcels of the cortex, or parcellated ones as they are."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from nibabel.affines import apply_affine
from nibabel.cifti2 import BrainModelAxis, Cifti2Image, ParcelsAxis, SeriesAxis

from stages.core.settings.errors import InputError
from stages.files.artifacts import name_damage
from stages.tasks.recordings.readers.images import load_cifti
from stages.tasks.recordings.readers.interface import Run
from stages.tasks.recordings.readers.means import Block, average
from stages.tasks.recordings.readers.parcels import (
    SIDES,
    VERTICES,
    Parcels,
    add_places,
    check_mesh,
    say_between,
)

# Grayordinates read together, whose series are contiguous in the file. Fixed: it changes sums' last digits.
BLOCK = 1024
PER_SECOND = {"SECOND": 1.0}

logging.getLogger("nibabel.global").setLevel(logging.ERROR)  # of pixdim, which CIFTI does not use


def load_series(path: Path) -> tuple[Cifti2Image, SeriesAxis, Any]:
    """Load the image [frames, what], its frames and what they are of.

    Raises InputError for anything else.
    """
    if path.suffix == ".gz":
        raise InputError(f"{path}: a packed series, of which no part can be read by itself; unpack it")
    expected = "series of grayordinates or parcels, expected .dtseries.nii or .ptseries.nii"
    return load_cifti(path, SeriesAxis, BrainModelAxis | ParcelsAxis, expected)


def is_parcellated(path: Path) -> bool:
    return isinstance(load_series(path)[2], ParcelsAxis)


def seconds_of(series: SeriesAxis) -> float | None:
    """Return seconds between frames; the file's header has them nowhere else."""
    return float(series.step) * PER_SECOND[series.unit] if series.unit in PER_SECOND else None


def read_dense(path: Path, parcels: Parcels) -> Run:
    """Read means of parcels [T, n], in float64. Raises InputError for another mesh."""
    image, series, brain = load_series(path)
    if not isinstance(brain, BrainModelAxis):
        raise InputError(
            f"{path}: a parcellated series, expected dense ones as the first file is; leave it out"
        )
    check_mesh(brain, path)
    rows = np.full(len(brain), -1)
    with name_damage(path):
        for structure, part, model in brain.iter_structures():
            if structure in SIDES:
                rows[part] = parcels.vertices[structure][model.vertex]
    labels = parcels.regions.label.tolist()
    means = average(read_blocks(image, brain), len(series), rows, labels, path)
    return Run(means, labels, seconds_of(series))


def read_blocks(image: Cifti2Image, brain: BrainModelAxis) -> Iterator[Block]:
    """Read grayordinates of the cortex, in all frames."""
    for structure, part, _ in brain.iter_structures():
        if structure in SIDES:
            # from the structure's own start, so that sums do not depend on which side comes first
            start, stop, _ = part.indices(len(brain))
            for at in range(start, stop, BLOCK):
                block = slice(at, min(at + BLOCK, stop))
                yield slice(None), block, np.asarray(image.dataobj[:, block]).T


def read_parcellated(path: Path) -> Run:
    image, series, parcels = load_series(path)
    if not isinstance(parcels, ParcelsAxis):
        raise InputError(
            f"{path}: a dense series, expected parcellated ones as the first file is; leave it out"
        )
    with name_damage(path):
        return Run(np.asarray(image.dataobj), parcels.name.tolist(), seconds_of(series))


def place_parcels(path: Path, surfaces: Path) -> pd.DataFrame:
    """Place regions of a parcellated series, each at the mean of its vertices, or voxels without any.

    Raises InputError for a parcel of neither.
    """
    parcels = load_series(path)[2]
    check_mesh(parcels, path)
    vertices = {structure: np.full(VERTICES, -1) for structure in SIDES}
    with name_damage(path):
        for row, of_parcel in enumerate(parcels.vertices):
            for structure, members in of_parcel.items():
                if structure in SIDES:
                    vertices[structure][members] = row
    placed = add_places(pd.DataFrame({"label": parcels.name}), vertices, surfaces)
    say_between(Parcels(placed, vertices), path)
    for row, voxels in enumerate(parcels.voxels):
        if len(voxels) and np.isnan(placed.x[row]):
            placed.loc[row, ["x", "y", "z"]] = apply_affine(parcels.affine, voxels).mean(axis=0)
    if placed.x.isna().any():
        first = placed.label[placed.x.isna()].iloc[0]
        raise InputError(
            f"{path}: no cortex and no voxel in parcel {first}, so it has no place; give recordings.positions"
        )
    return placed
