"""Inputs of a report whose numbers are known: two encodings on the grid, three seeds, accuracies by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from changed_params import ROOT

from stages.files.artifacts import Arrays, read_csv
from stages.measures import statistics
from stages.parameters import params
from stages.reporting.inputs import Inputs

SMALL, LARGE = [0.9, 1.0, 0.95], [0.3, 0.4, 0.35]


def over_seeds(*, same: dict[str, Any], **encodings: list[float]) -> pd.DataFrame:
    """On the grid a value per encoding and seed; same: further columns."""
    rows = [(name, seed, value) for name, values in encodings.items() for seed, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["encoding", "seed", "value"]).assign(task="grid", **same)


def rows(**same: Any) -> pd.DataFrame:
    """Three seeds of learned_s020, all .5, and of learned_s200, all .1; `same`: further columns."""
    return over_seeds(same=same, learned_s020=[0.5] * 3, learned_s200=[0.1] * 3)


def scored(**encodings: list[float]) -> dict[str, pd.DataFrame]:
    """runs.csv and what follows from it: intervals.csv, and tests.csv against learned_s020."""
    scores = over_seeds(same={"split": "validation", "metric": "accuracy"}, **encodings)
    pairs = [
        (name, "learned_s020") for name in encodings if name.startswith("learned") and name[-3:] != "020"
    ]
    others = [("learned_s020", name) for name in encodings if not name.startswith("learned")]
    tests = [
        statistics.compare(scores, pairs, "accuracy", "sigma: generalisation"),
        statistics.compare(scores, others, "accuracy", "scheme: generalisation"),
    ]
    adjusted = statistics.adjust(pd.concat([rows for rows in tests if len(rows)] or tests))
    return {"runs": scores, "intervals": statistics.intervals(scores), "tests": adjusted}


def with_scores(**encodings: list[float]) -> Inputs:
    """`inputs` with other scores."""
    known = inputs()
    return replace(known, tables={**known.tables, **scored(**encodings)})


def alignment(**encodings: list[float]) -> pd.DataFrame:
    measured = {"block": "all", "reference": "same_line", "measure": "spearman"}
    return over_seeds(same=measured | {"null_mean": 0.0, "p_value": 0.01}, **encodings)


def similarity() -> Arrays:
    cells = np.indices((4, 4)).reshape(2, -1).T
    far = np.linalg.norm((cells[:, None] - cells).astype(np.float64), axis=-1)
    centred = cells - cells.mean(axis=0)
    learned = np.cos(far / far.max())
    return {
        "grid__learned_s020": learned,
        "grid__learned_s200": np.eye(16),
        "grid__true_grid_distance": 1 - far / far.max(),
        "grid__true_same_line": (centred @ centred.T > 1).astype(np.float64),
        "grid_order": np.arange(16),
        "grid_groups": np.repeat(["row 0", "row 1", "row 2", "row 3"], 4),
        "grid_labels": np.array([f"cell {cell}" for cell in range(16)]),
    }


def inputs(**changed: Any) -> Inputs:
    """On the grid alone learned_s020 and learned_s200, sigma 0.2 and 2; `changed` are other fields."""
    settings = params.load(ROOT / "params.yaml")
    names = ("learned_s020", "learned_s200")
    sweep = {"space": {name: settings.sweep["space"][name] for name in names}}
    known = Inputs(
        settings=replace(settings, tasks={"grid": ["space"]}, sweep=sweep, scale="small"),
        sigmas={"grid": {"learned_s020": 0.2, "learned_s200": 2.0}},
        tables={
            **scored(learned_s020=SMALL, learned_s200=LARGE),
            "alignment": alignment(learned_s020=[0.5, 0.6, 0.7], learned_s200=[0.0, 0.1, -0.1]),
            "lst_published_accuracy": read_csv(ROOT / "data/reference/lst_published_accuracy.csv"),
        },
        similarity=similarity(),
        layouts={"grid__true_layout": np.indices((4, 4)).reshape(2, -1).T - 1.5},
        sha256={"data/x.npz": "0123456789abcdef"},
        versions={"numpy": "2.1"},
    )
    return replace(known, **changed)


def with_table(name: str, table: pd.DataFrame) -> Inputs:
    """`inputs` with one table exchanged."""
    known = inputs()
    return replace(known, tables={**known.tables, name: table})
