"""Claims about the fixed sinusoid (Vaswani et al. 2017, arXiv 1706.03762, section 3.5), tested on tables."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.linalg import block_diag
from scipy.spatial.distance import squareform
from scipy.stats import rankdata

from stages.measures import alignment
from stages.measures.alignment import Matrix, Permutations, Tables
from stages.positions.sinusoids import sinusoid

DECIMALS = 6  # of cosine similarities that float32 tables determine


def shift(offset: int, width: int) -> Matrix:
    """The one matrix M [width, width] with P[p + offset] = M P[p] at every p; width even.

    Each pair of columns (sin, cos) of frequency w turns by w * offset.
    """
    angles = offset / 10000.0 ** (2 * np.arange(width // 2) / width)
    turns = [np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) for a in angles]
    return np.asarray(block_diag(*turns))


def shift_residuals(table: Matrix) -> pd.DataFrame:
    """Columns at, measured, formula: of each offset the largest |P[p + offset] - M P[p]| of a table [n, d].

    d is even. The formula is 0, up to rounding.
    """
    n, width = table.shape
    offsets = [offset for offset in range(1 - n, n) if offset]
    residuals = []
    for offset in offsets:
        indices = np.arange(max(0, -offset), min(n, n - offset))
        moved = table[indices] @ shift(offset, width).T
        residuals.append(np.abs(table[indices + offset] - moved).max())
    return pd.DataFrame({"at": offsets, "measured": residuals, "formula": 0.0})


def wavelengths(table: Matrix) -> pd.DataFrame:
    """Tokens per turn of each pair of columns (sin, cos) of a table [n, d]: columns at, measured, formula.

    Measured from the angle between consecutive rows. The formula is 2 pi 10000^(2i/d): from 2 pi, geometric
    with the ratio 10000^(2/d); 10000 * 2 pi would be that of the pair after the last.
    """
    n, width = table.shape
    sines, cosines = table[:, 0::2][:, : width // 2], table[:, 1::2]
    across = (sines[1:] * cosines[:-1] - cosines[1:] * sines[:-1]).mean(axis=0)
    along = (sines[1:] * sines[:-1] + cosines[1:] * cosines[:-1]).mean(axis=0)
    pair = np.arange(width // 2)
    measured, formula = 2 * np.pi / np.arctan2(across, along), 2 * np.pi * 10000.0 ** (2 * pair / width)
    return pd.DataFrame({"at": pair, "measured": measured, "formula": formula})


def resemblance(tables: Tables, width: int, shuffles: Permutations) -> pd.DataFrame:
    """Similarity of learned tables to the sinusoid over the index, columns `alignment.COLUMNS`.

    Spearman correlation of the cosine similarities of a table's rows with those of the sinusoid of `width`
    columns, over pairs of tokens. Null: tokens shuffled, shuffles [P, n].
    """
    sinusoids = sinusoid(np.arange(shuffles.shape[1], dtype=np.float64), width)
    ranks = np.array([similarity_ranks(table) for table in tables])
    aligned = alignment.mantel(ranks, squareform(similarity_ranks(sinusoids)), shuffles)
    return alignment.tabulate(aligned, "sinusoid_1d", "spearman_cosine")


def similarity_ranks(table: NDArray[np.floating]) -> Matrix:
    """Ranks of the cosine similarities of all pairs of rows; equal up to rounding counts as a tie."""
    return np.asarray(
        rankdata(np.round(alignment.upper_triangle(alignment.cosine_similarity(table)), DECIMALS))
    )
