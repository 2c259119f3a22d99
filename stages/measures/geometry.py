"""Geometry of a positional table: how many dimensions it uses, how far training moved it."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.measures.alignment import Tables
from stages.measures.representations import centre

COLUMNS = ["table", "measure", "value"]


def describe(initial: Tables, final: Tables) -> pd.DataFrame:
    """One row per table and measure, columns `COLUMNS`: dimensions of the final table, and its change."""
    values = {
        "effective_rank": list(map(effective_rank, final)),
        "participation_ratio": list(map(participation_ratio, final)),
        "relative_change": list(map(relative_change, initial, final)),
        "angle_deg": list(map(angle_deg, initial, final)),
    }
    wide = pd.DataFrame(values).rename_axis("table").reset_index()
    return wide.melt("table", var_name="measure", value_name="value")[COLUMNS]


def effective_rank(table: NDArray[np.floating]) -> float:
    """exp of the entropy of the singular values' shares (Roy & Vetterli, 2007), 1 to min(n, d).

    Of the table as it is, mean row included; NaN for a table of zeros.
    """
    values = np.linalg.svd(table.astype(np.float64), compute_uv=False)
    if not values.any():
        return np.nan
    shares = values[values > 0] / values.sum()
    return float(np.exp(-np.sum(shares * np.log(shares))))


def participation_ratio(table: NDArray[np.floating]) -> float:
    """(sum of variances)^2 / sum of squared variances along the principal axes, 1 to min(n - 1, d).

    Of the centred table; NaN where all rows are equal.
    """
    variances = np.linalg.svd(centre(table), compute_uv=False) ** 2
    total = variances.sum()
    return float(total**2 / np.sum(variances**2)) if total > 0 else np.nan


def relative_change(initial: NDArray[np.floating], final: NDArray[np.floating]) -> float:
    """Norm of the change over the norm of the initial table; NaN for an initial table of zeros."""
    start = initial.astype(np.float64)
    norm = np.linalg.norm(start)
    return float(np.linalg.norm(final - start) / norm) if norm > 0 else np.nan


def angle_deg(initial: NDArray[np.floating], final: NDArray[np.floating]) -> float:
    """Angle in degrees between the tables as vectors, 0 to 180; NaN if one of them is zeros.

    By Kahan's formula, exact for small angles, where the arc cosine is not.
    """
    start, end = initial.astype(np.float64), final.astype(np.float64)
    norms = np.linalg.norm(start), np.linalg.norm(end)
    if 0 in norms:
        return np.nan
    start, end = start / norms[0], end / norms[1]
    return float(np.degrees(2 * np.arctan2(np.linalg.norm(start - end), np.linalg.norm(start + end))))
