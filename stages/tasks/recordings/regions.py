"""The table of regions: `label`, `x`, `y`, with `z` mm in MNI space, without it a plane of any unit.

Optional columns are what groups regions (GROUPINGS in facts.py), "" for none, and `hemisphere`.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from stages.core.settings.errors import InputError
from stages.files.csv_lines import find_number, read_named
from stages.files.names import clean_name, find_twins
from stages.tasks.recordings.facts import GROUPINGS
from stages.tasks.recordings.readers.interface import Matrix

AXES = ("x", "y", "z")
NAMES = (*GROUPINGS, "hemisphere")
INDEX = "index"  # the number of a region in an image
SHOWN = 5  # columns of a table that are not read


def read_positions(path: Path, *further: str) -> pd.DataFrame:
    """Read the table in a CSV file, with columns `further`.

    Raises InputError, one line, for others.
    """
    table = read_named(path, ["label", "x", "y", *further])
    known = ("label", *AXES, *NAMES, *further)
    for column in table:
        if column not in known and (meant := str(column).strip().lower()) in known:
            raise InputError(f"{path}: column '{column}' found, expected '{meant}'; rename it")
    if unread := [str(column) for column in table if column and column not in known]:
        print(
            f"{path}: columns {', '.join(unread[:SHOWN])} are not read, only {', '.join(known)} are; rename "
            "one that groups regions or names their hemisphere"
        )
    table = table[[column for column in known if column in table]]
    check_regions(table, path)
    refuse_like_groups(table, path)
    return table.assign(**{axis: table[axis].map(find_number) for axis in AXES if axis in table})


def read_numbered(path: Path) -> pd.DataFrame:
    """Read the table with a column `index`, each region's number in an image.

    Raises InputError unless it is whole, no other's and not 0.
    """
    table = read_positions(path, INDEX)
    numbers = table[INDEX].map(find_number).astype(np.float64)
    if (bad := (numbers % 1 != 0) | numbers.duplicated()).any():
        row = table[bad].iloc[0]
        raise InputError(
            f"{path}: {INDEX} of {row.label} is {row[INDEX]}, expected a whole number of its own; correct it"
        )
    if (numbers == 0).any():
        raise InputError(
            f"{path}: {INDEX} of {table[numbers == 0].iloc[0].label} is 0, expected other numbers, as 0 is "
            "outside all regions; write the parcellation's own numbers, and no row for its background"
        )
    return table.assign(**{INDEX: numbers.astype(np.int64)})


def check_regions(table: pd.DataFrame, path: Path) -> None:
    """Raise InputError unless at least two regions have a name and a finite place of their own."""
    axes = [axis for axis in AXES if axis in table]
    for axis in axes:
        for label, cell in zip(table.label, table[axis].astype(str), strict=True):
            if find_number(cell) is None:
                raise InputError(f"{path}: {axis} of {label} is {cell[:60]!r}, expected a number; correct it")
    if len(table) < 2:
        raise InputError(f"{path}: {len(table)} regions, expected at least 2: one to hide and one to see")
    if (table.label == "").any():
        raise InputError(f"{path}: row {(table.label == '').argmax() + 1} has no label; name the region")
    if table.label.duplicated().any():
        raise InputError(f"{path}: label {table.label[table.label.duplicated()].iloc[0]} twice; rename one")
    places = table[axes].astype(np.float64)
    if places.duplicated().any():
        second = places[places.duplicated()].iloc[0]
        first, last = table.label[(places == second).all(axis=1)].iloc[:2]
        place = ", ".join(f"{number:g}" for number in second)
        raise InputError(f"{path}: {first} and {last} both at ({place}); place each by itself")


def refuse_like_groups(table: pd.DataFrame, path: Path) -> None:
    """Raise InputError where two groups are one but for case."""
    for name in NAMES:
        if name in table and (twins := find_twins(table[name])):
            raise InputError(
                f"{path}: '{twins[0]}' and '{twins[1]}' of {name} differ by case alone, expected one way to "
                "write a group; rename one"
            )


def coordinates_of(table: pd.DataFrame) -> Matrix:
    """Return places [n, 2 or 3]."""
    return table[[axis for axis in AXES if axis in table]].to_numpy(np.float64)


def find_columns(present: Sequence[str], labels: Sequence[str], path: Path) -> list[int]:
    """Find the column of each label among those `present` in a file.

    Raises InputError unless they are the same.
    """
    present, labels = [*map(clean_name, present)], [*map(clean_name, labels)]
    different = [label for label in labels if label not in set(present)]
    different += [label for label in present if label not in set(labels)]
    if different or len(present) != len(labels):
        which = f"; first different: {different[0]}" if different else ""
        raise InputError(
            f"{path}: {len(present)} regions, {len(labels)} expected{which}; correct the labels there, "
            "recordings.positions or recordings.parcellation"
        )
    column = {label: number for number, label in enumerate(present)}
    return [column[label] for label in labels]
