"""How numbers, intervals and lists are written."""

from collections.abc import Sequence

import numpy as np

NOTHING, MINUS = "\u2013", "\u2212"


def number(value: float, digits: int = 3) -> str:
    """Fixed digits, a power of ten where those would be zeros; a dash for what is not known."""
    hidden = 0 < abs(value) < 0.5 * 10.0**-digits
    return f"{value:.1e}".replace("-", MINUS) if hidden else format_number(value, digits)


def format_number(value: float, digits: int = 2) -> str:
    """Fixed digits with a true minus sign; a dash for what is not known."""
    rounded = round(value, digits) + 0.0  # no minus before 0
    return f"{rounded:.{digits}f}".replace("-", MINUS) if np.isfinite(value) else NOTHING


def interval(low: float, high: float, digits: int = 3) -> str:
    return f"[{number(low, digits)}, {number(high, digits)}]" if np.isfinite(low) else NOTHING


def estimate(mean: float, low: float, high: float, n: float) -> str:
    """A mean with its interval and n in words; without seeds the number alone."""
    if not n > 0:
        return number(mean)
    if n == 1:
        return f"{number(mean)} (n = 1 seed, no interval)"
    return f"{number(mean)} {interval(low, high)} (n = {n:.0f} seeds)"


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
