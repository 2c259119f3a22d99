"""Places of regions that cannot be mm of a brain in MNI space."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.core.positions.missing_codes import find_missing_places
from stages.core.settings.errors import InputError
from stages.tasks.recordings.regions import coordinates_of

SIDES = {"left": "l|lh|left", "right": "r|rh|right"}
SMALLEST, LARGEST = 1.0, 300.0  # mm that a brain's regions span on the longest axis
WHOLE = 20.0  # mm: regions within it are of a small part of a brain, or in cm
FEWEST = 10  # regions: of fewer all may lie on one side of the origin

BACKGROUND = re.compile(r"medial.?wall|^(unknown|background|unassigned|\?\?\?)$", re.IGNORECASE)


def check_places(table: pd.DataFrame, path: Path) -> None:
    """Say what is odd about places in mm; InputError where regions name hemispheres of a brain."""
    for note in find_missing_places(coordinates_of(table)):
        print(f"{path}: {note}")
    if "z" not in table:
        return  # a plane of any unit
    places, sides = coordinates_of(table), {side: find_side(table, side) for side in SIDES}
    if (places < 0).any() and not places.any(axis=1).all():
        label = table.label.iloc[int(places.any(axis=1).argmin())]
        print(
            f"{path}: {label} is at 0, 0, 0, inside the brain, as where a place is missing; where it is, "
            "mend it, or leave the region out of all files"
        )
    extent = float(np.ptp(places, axis=0).max())
    if not SMALLEST <= extent <= LARGEST:
        fault = f"regions span {extent:g} on an axis, expected mm, {SMALLEST:g} to {LARGEST:g} in a brain"
    elif len(places) >= FEWEST and (places >= 0).all():
        fault = (
            "no place is below 0, as in voxels' indices; expected mm in MNI space, with 0 inside the brain"
        )
    elif wrong := find_wrong_side(places[:, 0], sides):
        fault = f"most regions of the {wrong}, expected x below 0 on the left alone, as in MNI space"
    else:
        if len(places) >= FEWEST and extent < WHOLE:
            print(
                f"{path}: regions span {extent:g} on the longest axis, expected mm, so they are of a small "
                "part of a brain; where they are in cm, convert the places"
            )
        return
    if any(side.any() for side in sides.values()):
        raise InputError(f"{path}: {fault}; convert the places")
    print(f"{path}: {fault}; where they are of no brain, leave out z or ignore this")


def say_background(labels: Sequence[str], path: Path) -> None:
    """Say which regions have names of what is no region, such as the medial wall."""
    if named := [label for label in labels if BACKGROUND.search(label)]:
        print(
            f"{path}: region {named[0]} is used like others ({len(named)} of {len(labels)} have such names); "
            "where it is no region, leave it out of the parcellation or of all files"
        )


def find_side(table: pd.DataFrame, side: str) -> NDArray[np.bool_]:
    """Find the regions of that hemisphere (True), by its column if there is one, else by words of labels."""
    if "hemisphere" in table:
        pattern = re.compile(f"({SIDES[side]})( hemisphere)?", re.IGNORECASE)
        return np.array([bool(pattern.fullmatch(each)) for each in table.hemisphere.astype(str)])
    pattern = re.compile(rf"(^|[\W_])({SIDES[side]})([\W_]|$)", re.IGNORECASE)
    return np.array([bool(pattern.search(each)) for each in table.label.astype(str)])


def find_wrong_side(x: NDArray[np.float64], sides: dict[str, NDArray[np.bool_]]) -> str:
    """Say which hemisphere has most of its regions on the other's side; "" where none has."""
    for side, sign in (("left", 1), ("right", -1)):
        its = sign * x[sides[side]]
        if len(its) and (its > 0).mean() > 0.5:
            return f"{side} hemisphere have x {'above' if sign > 0 else 'below'} 0"
    return ""
