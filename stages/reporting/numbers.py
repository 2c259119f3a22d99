"""How numbers are written, so that a reader can check a difference by subtraction."""

from typing import Any

import numpy as np

NOTHING, MINUS = "\u2013", "\u2212"
FEWEST, MOST = 2, 5  # digits behind the point that an interval asks for
LONGEST = 8  # and until means subtract: a digit more fails once in four times
WITHOUT = 3  # where there is no interval to tell how many count
MEANS = ("mean_a", "mean_b", "difference")


def write(value: float, digits: int) -> str:
    """Write fixed digits with a true minus sign; a dash for what is not known."""
    rounded = round(value, digits) + 0.0  # no minus before 0
    return f"{rounded:.{digits}f}".replace("-", MINUS) if np.isfinite(value) else NOTHING


def write_p(value: float) -> str:
    """Write two digits that count: 0.0078, 0.25; a dash for what is not known."""
    if not np.isfinite(value):
        return NOTHING
    return "1" if value == 1 else f"{value:.{max(2, 1 - magnitude(value))}f}"


def magnitude(value: float) -> int:
    """Return the power of ten of the first digit that counts: -1 for 0.2; 0 for 0."""
    return int(np.floor(np.log10(abs(value)))) if value else 0


def count_digits(row: dict[str, Any]) -> int:
    """Count digits: as many as give half of the interval two, or few more, until the means subtract."""
    half = (row["high"] - row["low"]) / 2
    counted = 1 - magnitude(half) if np.isfinite(half) and half > 0 else WITHOUT
    least = min(max(counted, FEWEST), MOST)
    for digits in range(least, LONGEST + 1):
        a, b, difference = (round(round(row[name], digits) * 10**digits) for name in MEANS)
        if a - b == difference:
            return digits
    return least


def write_difference(row: dict[str, Any]) -> dict[str, str]:
    """Write `difference` of a row of differences or verdicts, its `interval` and `sum`, all equally exact.

    sum: 0.85 - 0.44 = 0.41, "" where it was not run. Beside a number that a test names, not a mean, all three
    are of what was measured.
    """
    if not np.isfinite(row["difference"]):
        return {"difference": NOTHING, "interval": NOTHING, "sum": ""}
    digits = count_digits(row)
    a, b, difference = (write(row[name], digits) for name in MEANS)
    if is_constant(row):
        low, high = (row[end] + row["mean_b"] for end in ("low", "high"))
        return {"difference": a, "interval": write_interval(low, high, digits), "sum": a}
    taken = f"({b})" if b.startswith(MINUS) else b
    return {
        "difference": difference,
        "interval": write_interval(row["low"], row["high"], digits),
        "sum": f"{a} {MINUS} {taken} = {difference}",
    }


def is_constant(row: dict[str, Any]) -> bool:
    """Tell whether b is a number that a test names."""
    return bool(row.get("b") == f"{row['mean_b']:g}")


def write_interval(low: float, high: float, digits: int) -> str:
    """Write [0.02, 0.11]; words where all seeds agree, as such an interval means nothing."""
    if low == high:
        return "in every seed"
    return f"[{write(low, digits)}, {write(high, digits)}]" if np.isfinite(low) else NOTHING
