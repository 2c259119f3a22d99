"""Alignment of tables with one reference, another held fixed: partial Mantel test (Smouse et al., 1986).

The null shuffles the tokens of the tested reference; the table and the controlled reference, `given`, stay.
Shuffling also breaks what the two references share, so the test is exact only for unrelated ones. At level
0.05, with related references, it rejected 8 to 15 % of tables that follow `given` alone for 15 tokens, 16 to
25 % for 80 (compare Guillot & Rousset, 2013). Read the value; a small p is then weak evidence.
"""

from collections.abc import Mapping
from itertools import permutations as ordered

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform
from scipy.stats import rankdata

from stages.measures import alignment
from stages.measures.alignment import ROUNDING, Matrix, Permutations, Tables

COLUMNS = ["table", "reference", "given", "measure", "value", "null_mean", "p_value"]


def align(tables: Tables, references: Mapping[str, Matrix], shuffles: Permutations) -> pd.DataFrame:
    """One row per table and ordered pair of references, columns `COLUMNS`; measure `partial_spearman`.

    value: rank correlation of the distances between rows with `reference`, ranks of `given` held fixed.
    Left out: references that are equal for all pairs, and two references that rank all pairs alike.
    """
    distances = alignment.standardise(rankdata(np.array([pdist(table) for table in tables]), axis=1))
    ranks = {
        name: alignment.standardise(rankdata(alignment.upper_triangle(reference)))
        for name, reference in references.items()
        if np.ptp(alignment.upper_triangle(reference)) > 0
    }
    parts = []
    for name, given in ordered(ranks, 2):
        if abs(ranks[name] @ ranks[given]) < 1 - ROUNDING:
            aligned = partial_mantel(distances, ranks[name], ranks[given], shuffles)
            parts.append(alignment.tabulate(aligned, name, "partial_spearman").assign(given=given)[COLUMNS])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)


def partial_mantel(values: Matrix, reference: Matrix, given: Matrix, shuffles: Permutations) -> pd.DataFrame:
    """Partial correlation of values [m, pairs] with `reference` [pairs] given `given` [pairs].

    All three standardise along pairs; shuffles [P, n] of the tokens of `reference`.
    """
    matrix = squareform(reference)
    first, second = np.triu_indices(len(matrix), k=1)
    shuffled = matrix[shuffles[:, first], shuffles[:, second]]
    with_given = values @ given
    value = partial(values @ reference, with_given, reference @ given)
    null = partial(shuffled @ values.T, with_given, (shuffled @ given)[:, None])
    return alignment.compare_with_null(value, null)


def partial(xy: Matrix, xz: Matrix, yz: Matrix) -> Matrix:
    """Correlation of x and y, z held fixed, from the three correlations; 0 where z explains x or y."""
    left = (1 - xz**2) * (1 - yz**2)
    nothing = left < ROUNDING
    return np.asarray(np.where(nothing, 0.0, (xy - xz * yz) / np.sqrt(np.where(nothing, 1.0, left))))
