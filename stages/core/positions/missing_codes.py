"""Tell codes such as -999 that stand among numbers for one that is missing."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MISSING = [10.0**digits - 1 for digits in range(3, 10)]  # 999 and the like, and the ends of kinds of numbers
MISSING += [2.0**15, 2.0**31, 1e20, float(np.finfo(np.float32).max)]
MISSING += [10.0**digits for digits in range(6, 13)]
SHORT = [9.0, 99.0]  # codes only beside numbers that have decimals
BELOW = [1.0, *SHORT, *MISSING]
FAR = 2  # times as large as all other numbers
FAR_PLACE = 10  # times as far from the middle as half of all places
SHOWN = 3  # rows in a message
FEWEST = 3  # zeros of a column


def find_missing(numbers: NDArray[np.floating[Any]]) -> Iterator[str]:
    """Say which of numbers [n, k], all of one kind, may stand for one that is missing.

    These are codes far beyond all others, or alone below 0.
    """
    sizes = np.abs(numbers)
    largest, lowest = float(sizes.max()), float(numbers.min())
    others = float(sizes.max(where=sizes < largest, initial=0))
    decimals = bool((numbers % 1).any())
    if is_code(largest, [*SHORT * decimals, *MISSING]) and FAR * others < largest:
        yield say_code(numbers, sizes == largest, "far from all other numbers")
    elif decimals and is_code(-lowest, BELOW) and (numbers[numbers > lowest] >= 0).all():
        yield say_code(numbers, numbers == lowest, "alone below 0")


def find_missing_places(places: NDArray[np.floating[Any]]) -> Iterator[str]:
    """Say which places [n, k] may be missing: by their numbers, or one below 0 that fills rows of its own.

    Say also which lie far from all others, or most at one place.
    """
    found = [*find_missing(places)]
    yield from found or find_crowds(places)
    rows = (places == places[:, :1]).all(axis=1) & (places[:, 0] < 0)
    if found or places.shape[1] == 1 or len(np.unique(places[rows])) != 1:
        return
    code = places[rows][0, 0]
    told = is_code(-code, BELOW) and (places[~rows] % 1).any()
    if told or (places[~rows] >= 0).all():
        yield say_code(places, places == code, "alone on each axis")


def find_crowds(places: NDArray[np.floating[Any]]) -> Iterator[str]:
    """Say at which one place most of places [n, k] are, or which few are far from most."""
    distinct, counts = np.unique(places, axis=0, return_counts=True)
    if 2 * counts.max() > len(places) > len(distinct):
        place = ", ".join(f"{number:g}" for number in distinct[counts.argmax()])
        yield f"{counts.max()} of {len(places)} rows are at one place, {place}; correct those that are not"
        return
    away = np.linalg.norm(places - np.median(places, axis=0), axis=1)
    far = away > FAR_PLACE * np.median(away)
    if far.any():
        yield (
            f"row {int(far.argmax())}, counted from 0, is more than {FAR_PLACE} times as far from the middle "
            f"as most places ({far.sum()} such rows); correct it, or leave it out"
        )


def find_zeros(numbers: NDArray[np.floating[Any]]) -> Iterator[str]:
    """Say which few columns of numbers [n, k] hold zeros among numbers with decimals."""
    zeros = (numbers == 0) & (numbers % 1).any(axis=0)
    columns = zeros.sum(axis=0) >= FEWEST
    if 0 < columns.sum() < columns.size / 2:  # in most, signals are sparse
        held, first = zeros & columns, int(columns.argmax()) + 1
        where = f"{held.sum()} times in {columns.sum()} of {columns.size} columns, the first being {first}"
        yield say_code(numbers, held, where)


def is_code(sizes: Any, codes: Sequence[float]) -> Any:
    """Tell which sizes are a code's, rounded as in float32."""
    return np.isclose(np.asarray(sizes)[..., None], codes, rtol=1e-6, atol=0).any(axis=-1)


def say_code(numbers: NDArray[np.floating[Any]], held: NDArray[np.bool_], why: str) -> str:
    """Say in which rows a code stands; held: [n, k], true where it does."""
    rows = np.flatnonzero(held.any(axis=1)).tolist()
    shown = ", ".join(map(str, rows[:SHOWN]))
    more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    return (
        f"{numbers[held][0]:.10g} stands in row{'s' * (len(rows) > 1)} {shown}{more}, counted from 0, {why}, "
        "as a code for what is missing; mend it, or leave these rows out"
    )
