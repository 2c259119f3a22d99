"""Scores of a few cells with known answers, and claims that are judged by them."""

from typing import Any

import numpy as np
import pandas as pd
from small_studies import SIGMA, claim, make_scores, make_study

from stages.studies.judging.judge import judge

SPREAD = np.array([-0.02, -0.01, 0.0, 0.01, 0.02])
CELLS: dict[str, Any] = {
    name: {"scheme": "learned", "init_std": 0.2} for name in ("high", "low", "like_low", "wide")
}
CELLS["axis"] = {"scheme": "learned"}
VALUES: dict[tuple[str, str], Any] = {
    ("high", ""): 0.9 + SPREAD,
    ("low", ""): 0.5 + SPREAD[::-1],
    ("like_low", ""): 0.501 + SPREAD[::-1] + 0.1 * SPREAD,
    ("wide", ""): 0.5 + 10 * SPREAD[[0, 2, 4, 1, 3]],
    ("axis", "0.2"): 0.9 + SPREAD,
    ("axis", "2"): 0.1 + SPREAD,
    ("floor_gaussian", ""): [0.7],
}


def judged(
    *tests: dict[str, Any], task: str = "grid", values: dict[tuple[str, str], Any] = VALUES, **more: Any
) -> pd.DataFrame:
    """Judge one claim of these tests, in a study of the cells above and what `more` says."""
    claims = {"first": claim(*({"task": task} | test for test in tests))}
    study = make_study(**{"tasks": [task], "cells": CELLS, "axis": SIGMA, "claims": claims} | more)
    return judge(study, make_scores(values, task), None)
