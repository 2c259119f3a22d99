"""NIfTI series averaged over the regions of an atlas, less fMRIPrep's confounds where some are asked for.

Confounds are regressed out of the means, which is the same as out of every voxel before.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from nibabel.affines import apply_affine
from nibabel.nifti1 import Nifti1Image

from stages.core.settings.errors import InputError
from stages.files.artifacts import name_damage, open_unpacked
from stages.files.number_csv import say_once
from stages.tasks.recordings.readers.confounds import remove_confounds
from stages.tasks.recordings.readers.fits import MOST, find_own
from stages.tasks.recordings.readers.images import load_nifti
from stages.tasks.recordings.readers.interface import Frames, Reader, Run
from stages.tasks.recordings.readers.means import Block, Rows, average, find_middles
from stages.tasks.recordings.readers.parcels import read_numbers

BLOCK = 16  # frames read together: 2 mm voxels of the whole head in float64 take 115 MB
SHOWN = 10  # numbers of an atlas that are left out
SCANNER, TEMPLATES = 1, (3, 4)  # codes of headers for what their mm are of
PER_SECOND = {"sec": 1.0, "msec": 1e-3, "usec": 1e-6, "unknown": 1.0}


def open_reader(atlas: Path, regions: pd.DataFrame, confounds: Sequence[str], drop_first: int = 0) -> Reader:
    """Open a reader. atlas: an image of region numbers, named by the column `index` of `regions`."""
    numbers = read_atlas(atlas)
    unnamed = sorted(set(np.unique(np.asarray(numbers.dataobj)).tolist()) - {0, *regions["index"].tolist()})
    if unnamed:
        few = ", ".join(map(str, unnamed[:SHOWN])) + ", …" * (len(unnamed) > SHOWN)
        print(
            f"note: {atlas}: left out are its regions {few}, since recordings.positions has no index for them"
        )
    refuse_renumbered(regions, numbers, atlas)
    kept = regions.drop(columns="index")
    return Reader(kept, lambda path: read_run(path, numbers, regions, confounds, drop_first))


def refuse_renumbered(regions: pd.DataFrame, atlas: Nifti1Image, path: Path) -> None:
    """Raise InputError where places fit other regions of the atlas than those that `index` names.

    A place fits where its region's centroid is the nearest, or one of its voxels is.
    """
    if "z" not in regions or not (atlas.header["sform_code"] or atlas.header["qform_code"]):
        return  # no mm on one of both sides
    values = np.asarray(atlas.dataobj)
    present = regions[regions["index"].isin(np.unique(values))]
    rows = pd.Index(present["index"]).get_indexer(values.ravel())
    if not (inside := rows >= 0).any():
        return  # each region is found empty later on
    places, whose = present[["x", "y", "z"]].to_numpy(np.float64), rows[inside]
    mm = apply_affine(atlas.affine, np.argwhere(inside.reshape(values.shape)))
    centroids = find_middles(mm, whose, len(places))
    fit = find_own(places, centroids, np.arange(len(places))) | find_own(places, mm, whose)
    if fit.mean() < MOST:
        first = present[~fit].iloc[0]
        x, y, z = centroids[np.flatnonzero(~fit)[0]]
        raise InputError(
            f"{path}: {(~fit).sum()} of {len(fit)} places of recordings.positions lie in or nearer to "
            f"another region than their index names (the first is {first.label} at {first.x:g}, {first.y:g}, "
            f"{first.z:g}; region {first['index']} has its middle at {x:.0f}, {y:.0f}, {z:.0f} mm), expected "
            "numbers and places of this image; correct index or the places; leave out z where places are of "
            "another space"
        )


def read_atlas(path: Path) -> Nifti1Image:
    """Read the image of region numbers [x, y, z], in memory."""
    image = load_nifti(path, 3)
    with name_damage(path), open_unpacked(path) as file:
        values = np.asarray(image.from_stream(file).dataobj).reshape(image.shape[:3])
    return Nifti1Image(read_numbers(values, path), image.affine, image.header)


def read_run(
    path: Path, atlas: Nifti1Image, regions: pd.DataFrame, confounds: Sequence[str], drop_first: int
) -> Run:
    """Read means of regions [T, n], denoised.

    Before, first frames are dropped, and those that fMRIPrep marks as not steady: they fit no confounds.
    """
    image = load_nifti(path, 4)
    labels = regions.label.tolist()
    with name_damage(path):
        unit, seconds = image.header.get_xyzt_units()[1], float(image.header.get_zooms()[3])
        rows = place_regions(image, atlas, regions["index"].tolist())
    means: Frames = average(read_blocks(image, path), image.shape[3], rows, labels, path)
    regressors = dropped = 0
    if confounds:
        means, regressors = remove_confounds(means, confounds, path, drop_first)
        dropped = drop_first
    # of another unit, such as hz, the last axis is no time
    known = seconds * PER_SECOND[unit] if unit in PER_SECOND else None
    return Run(means, labels, known, regressors, dropped)


def place_regions(image: Nifti1Image, atlas: Nifti1Image, numbers: list[int]) -> Rows:
    """Return the row of each voxel's region [voxels], -1 in none.

    The atlas is brought to the image's grid.
    """
    from nilearn.image import resample_img  # two seconds to import

    matched = atlas
    if atlas.shape != image.shape[:3] or not np.allclose(atlas.affine, image.affine):
        if not all(header["sform_code"] or header["qform_code"] for header in (image.header, atlas.header)):
            raise InputError(
                "its grid is not the atlas's, and sform_code and qform_code of one of them are 0"
            )
        matched = resample_img(atlas, image.affine, image.shape[:3], "nearest", force_resample=True)
    if find_space(image) == SCANNER and find_space(atlas) in TEMPLATES:
        say_once(
            "recordings.files: headers say mm of the scanner for series and of a template, as MNI's, for the "
            "parcellation; expected both in one space; where series are of each person's own, as of "
            "space-T1w, take those in the template's"
        )
    return pd.Index(numbers).get_indexer(pd.Index(np.asarray(matched.dataobj).ravel(order="F")))


def find_space(image: Nifti1Image) -> int:
    """Return the code of the space whose mm a header says."""
    return int(image.header["sform_code"] or image.header["qform_code"])


def read_blocks(image: Nifti1Image, path: Path) -> Iterator[Block]:
    """Read frames of all voxels, the first axis fastest."""
    # opened once and read onwards: packed files cannot be entered in the middle
    with open_unpacked(path) as file:
        stored = image.from_stream(file).dataobj
        for start in range(0, image.shape[3], BLOCK):
            block = np.asarray(stored[:, :, :, start : start + BLOCK])
            voxels = block.reshape(-1, block.shape[3], order="F")
            yield slice(start, start + BLOCK), slice(None), voxels
