"""Tell codes such as -999 that stand among numbers for one that is missing."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

MISSING = [10.0**digits - 1 for digits in range(3, 10)]  # 999 and the like, and the ends of kinds of numbers
MISSING += [2.0**15, 2.0**31, 1e20, float(np.finfo(np.float32).max)]
FAR = 2  # times as large as all other numbers
SHOWN = 3  # rows in a message


def find_missing(numbers: NDArray[np.float64]) -> Iterator[str]:
    """Say which of numbers [n, k] may stand for one that is missing: codes far beyond all others."""
    sizes = np.abs(numbers)
    largest = float(sizes.max())
    others = float(sizes.max(where=sizes < largest, initial=0))
    if np.isclose(largest, MISSING, rtol=1e-6).any() and FAR * others < largest:
        rows = np.flatnonzero((sizes == largest).any(axis=1)).tolist()
        shown = ", ".join(map(str, rows[:SHOWN]))
        more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
        code = numbers[sizes == largest][0]
        yield (
            f"{code:.10g} stands in row{'s' * (len(rows) > 1)} {shown}{more}, counted from 0, far from all "
            "other numbers, as a code for what is missing; mend it, or leave these rows out"
        )
