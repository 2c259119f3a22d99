"""A project whose numbers are known: the study sigma with two claims, and published, which did not run."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from changed_params import ROOT

from stages.files.artifacts import Arrays, write_arrays, write_csv
from stages.studies.judging import compare, judge
from stages.studies.planning.declare import write_declared
from stages.studies.planning.load import load_study
from stages.studies.tables import SCORES, report_path

SMALL, LARGE = [0.9, 1.0, 0.95], [0.3, 0.4, 0.35]  # accuracies of three seeds, σ 0.2 and 2
README = b"# Title\r\n\n<!-- claims: begin -->old<!-- claims: end -->\n\nend \xcf\x83\n"


def study(says: str) -> dict[str, Any]:
    test = {"task": "grid", "a": "learned@0.2", "b": "learned@2"}
    return {
        "question": f"Question of {says}?",
        "about": f"About {says}.",
        "tasks": ["grid"],
        "seeds": 3,
        "focus": True,
        "axis": {"of": "init_std", "values": [0.2, 2.0]},
        "cells": {"learned": {"scheme": "learned"}, "none": {"scheme": "none"}},
        "compare": {"sigma": {"pairs": [["learned@0.2", "learned@2"]]}},
        "figure": {"kind": "lines", "cells": ["learned", "none"]},
        "claims": {
            "better": {
                "says": says,
                "main": True,
                "source": "ours",
                "stated": "before",
                "tests": [test, test | {"metric": "alignment", "expect": "above"}],
            },
            "unasked": {
                "says": "Not asked.",
                "source": "ours",
                "stated": "after",
                "tests": [test | {"b": "none"}],
            },
        },
    }


def score(cell: str, at: str, metric: tuple[str, str], values: list[float]) -> list[tuple[Any, ...]]:
    return [("grid", cell, at, seed, *metric, value) for seed, value in enumerate(values)]


def scores() -> pd.DataFrame:
    accuracy, alignment = ("validation", "accuracy"), ("tables", "alignment")
    rows = [
        *score("learned", "0.2", accuracy, SMALL),
        *score("learned", "2", accuracy, LARGE),
        *score("learned", "0.2", alignment, [0.5, 0.6, 0.7]),
        *score("learned", "2", alignment, [0.0, 0.1, -0.1]),
        *score("focus", "", accuracy, [0.7, 0.8, 0.75]),
        *score("focus", "", alignment, [0.1, 0.2, 0.15]),
    ]
    return pd.DataFrame(rows, columns=SCORES)


def maps(n: int = 4) -> Arrays:
    """Make maps of an n x n square: at σ 0.2 a table that mirrors it, at 2 one that knows nothing."""
    cells = np.indices((n, n)).reshape(2, -1).T
    plane = (cells - cells.mean(axis=0))[:, ::-1] * [1, -1] / (n / 2**0.5)
    far = np.linalg.norm((cells[:, None] - cells).astype(np.float64), axis=-1)
    near = 1 - far / far.max()
    known = {
        "sigmas": np.array(["0.2", "2"]),
        "0_2__final": np.cos(far / far.max()),
        "0_2__added": near,
        "2__final": np.eye(n * n),
        "2__added": near,
        "order": np.arange(n * n),
        "groups": np.repeat([f"row {row}" for row in range(n)], n),
        "labels": np.array([f"cell {cell}" for cell in range(n * n)]),
        "plane": plane,
        "coordinates": cells.astype(np.float64),
        "reference": np.array("same_line"),
        "true": near,
        "true_same_line": near,
        "true_grid_distance": near,
    }
    return {f"grid__{name}": array for name, array in known.items()}


def make_project(root: Path, says: str = "Small is better.") -> Path:
    """Make both studies, tables of sigma, maps, README; pictures that are none of theirs."""
    for name in ("sigma", "published"):
        path = root / f"studies/{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(study(f"{says} ({name})" if name != "sigma" else says)))
    loaded = load_study(root, "sigma")
    write_csv(root / report_path("sigma", "scores"), scores())
    write_csv(root / report_path("sigma", "differences"), compare.find_differences(loaded, scores()))
    write_csv(root / report_path("sigma", "verdicts"), judge.judge(loaded, scores(), None))
    write_arrays(root / "reports/maps.npz", maps())
    shutil.copy(ROOT / "params.yaml", root)
    write_declared(root, "sigma")
    (root / "README.md").write_bytes(README)
    return root
