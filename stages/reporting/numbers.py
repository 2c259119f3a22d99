"""Write numbers so that a reader can check a difference by subtraction."""

import numpy as np

from stages.studies.judging.statistics import Numbers

NOTHING, MINUS = "\u2013", "\u2212"
FEWEST, MOST = 2, 5  # digits behind the point that an interval asks for
LONGEST = 8  # and until means subtract: a digit more fails once in four times
WITHOUT = 3  # where there is no interval to tell how many count


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


def count_digits(numbers: Numbers) -> int:
    """Count digits: they show half of the interval and the signs of its ends, and the means subtract."""
    half = (numbers.high - numbers.low) / 2
    least = WITHOUT
    if np.isfinite(half) and half > 0:
        shown = max(-magnitude(one) for one in (half, numbers.low, numbers.high) if one)
        least = max(FEWEST, min(shown, MOST))
    means = numbers.mean_a, numbers.mean_b, numbers.difference
    for digits in range(least, LONGEST + 1):
        a, b, difference = (round(round(one, digits) * 10**digits) for one in means)
        if a - b == difference:
            return digits
    return least


def write_numbers(numbers: Numbers) -> dict[str, str]:
    """Write a `difference`, its `interval` and its `sum`, 0.85 - 0.44 = 0.41, all equally exact.

    sum: "" where it was not run.
    """
    if not np.isfinite(numbers.difference):
        return {"difference": NOTHING, "interval": NOTHING, "sum": ""}
    digits = count_digits(numbers)
    a, b, difference = (write(one, digits) for one in (numbers.mean_a, numbers.mean_b, numbers.difference))
    taken = f"({b})" if b.startswith(MINUS) else b
    return {
        "difference": difference,
        "interval": write_interval(numbers.low, numbers.high, digits),
        "sum": f"{a} {MINUS} {taken} = {difference}",
    }


def write_measured(numbers: Numbers) -> dict[str, str]:
    """Write the same three of a alone, where b is a number that a test names."""
    digits = count_digits(numbers)
    low, high = (end + numbers.mean_b for end in (numbers.low, numbers.high))
    a = write(numbers.mean_a, digits)
    return {"difference": a, "interval": write_interval(low, high, digits), "sum": a}


def write_interval(low: float, high: float, digits: int) -> str:
    """Write [0.02, 0.11]; words where all seeds agree, as such an interval means nothing."""
    if low == high:
        return "in every seed"
    return f"[{write(low, digits)}, {write(high, digits)}]" if np.isfinite(low) else NOTHING
