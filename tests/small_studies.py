"""Small studies, and tables of scores with known answers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from changed_params import VALUES, Changes, change_values, write_params, write_yaml

from stages.core.settings.checking import check
from stages.studies.cells import Cell, Expanded
from stages.studies.planning.expand import expand
from stages.studies.schema import Study
from stages.studies.tables import SCORES, find_metric

USUAL: dict[str, Any] = {
    "question": "Which?",
    "tasks": ["network"],
    "cells": {"learned": {"scheme": "learned"}},
    "figure": {"kind": "rows"},
}
SIGMA = {"of": "init_std", "values": [0.2, 2.0]}
FETCHED = {
    "package": "tiny",
    "version": "1.0",
    "sha256": "0" * 64,
    "file": "a.bin",
    "tensor": "pos",
    "positions": "line",
}
TABLES: dict[str, Any] = {
    "question": "Which?",
    "tables": {"one": FETCHED, "other": FETCHED | {"positions": "square:4x5"}},
    "figure": {"kind": "tables"},
}  # of a study of fetched tables
Values = Mapping[tuple[str, str], Sequence[float]]  # of each cell and value of the axis, seed by seed


def make_study(**values: Any) -> Study:
    return check(Study, USUAL | values, "")


def expand_study(**values: Any) -> Expanded:
    """Make the cells of the study `own` at scale smoke."""
    return expand("own", make_study(**values), VALUES)


def cells_of(**values: Any) -> dict[str, Cell]:
    return expand_study(**values).cells


def cell_of(task: str, changes: Changes, **study: Any) -> Cell:
    """Make the one cell of a study under changed parameters."""
    asked = make_study(**{"tasks": [task], "cells": {"one": {"scheme": "learned"}}} | study)
    (cell,) = expand("own", asked, change_values(changes)).cells.values()
    return cell


def claim(*tests: Changes) -> Changes:
    return {"says": "So it is.", "source": "ours", "stated": "after", "tests": list(tests)}


def write_study(root: Path, changes: Changes, **values: Any) -> Path:
    """Make a project's root with params.yaml at scale smoke and the study `own`."""
    write_params(root, changes)
    write_yaml(root / "studies/own.yaml", USUAL | values)
    return root


def make_scores(values: Values, task: str = "network", metric: str = "score") -> pd.DataFrame:
    """Make rows of scores.csv; seeds from 0."""
    split, name = find_metric(task, metric)
    rows = [
        (task, cell, at, seed, split, name, value)
        for (cell, at), seeds in values.items()
        for seed, value in enumerate(seeds)
    ]
    return pd.DataFrame(rows, columns=SCORES)
