"""Maps of reports/maps.npz by name, and which values are shown from palest to darkest."""

import numpy as np

from stages.core.positions.positions import Matrix
from stages.files.artifacts import Arrays

TAIL = 2.0  # per cent of pairs that may lie beyond either end of a map's colours


def choose_sigmas(maps: Arrays, task: str) -> tuple[str, str]:
    """Choose the small and the large σ that are shown: 0.2, or the smallest without it, and the largest."""
    sigmas = [str(sigma) for sigma in maps[f"{task}__sigmas"]]
    return "0.2" if "0.2" in sigmas else sigmas[0], sigmas[-1]


def find_range(shown: Matrix) -> tuple[float, float]:
    """Find the values of a map's palest and darkest colour; NaN is left out."""
    low, high = np.nanpercentile(shown, [TAIL, 100 - TAIL])
    return float(low), float(high) if high > low else float(low) + 1e-6


def hide_diagonal(similarity: Matrix) -> Matrix:
    """Replace the diagonal [n, n] by NaN: a token and itself are always alike."""
    return np.where(np.eye(len(similarity), dtype=np.bool_), np.nan, similarity)


def name_map(sigma: str, state: str) -> str:
    """Name the key of a map of a task: 0_2__final."""
    return f"{sigma.replace('.', '_')}__{state}"
