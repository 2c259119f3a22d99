"""What an interval over seeds allows to say, and how much of it remains where many are asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import false_discovery_control

from stages.measures import statistics
from stages.reporting.numbers import format_number

WORDS = ("ahead of it", "not told apart", "behind")


@dataclass(frozen=True)
class Estimate:
    """A mean over n seeds with its 95 % Student t interval, and p of a mean of 0 by flips of signs.

    Without seeds n is 0 and the mean NaN; p is NaN below two seeds.
    """

    mean: float
    low: float
    high: float
    p_value: float
    n: int
    digits: int  # that are written

    @property
    def sign(self) -> int:
        """1 or -1 where the interval leaves 0 out, else 0."""
        return int(self.low > 0) - int(self.high < 0)

    @property
    def reach(self) -> float:
        """The largest value that the interval holds, either way."""
        return max(abs(self.low), abs(self.high))

    @property
    def interval(self) -> str:
        """The mean with its interval."""
        low, high = format_number(self.low, self.digits), format_number(self.high, self.digits)
        return f"{self} [{low}, {high}]" if np.isfinite(self.low) else f"{self} (no interval)"

    def __str__(self) -> str:
        return format_number(self.mean, self.digits)


class Verdict(NamedTuple):
    about: str
    sign: int  # 1 ahead, 0 not told apart, -1 behind
    p_value: float
    reach: float = np.nan  # the largest difference that its interval holds, either way


def select(rows: pd.DataFrame, encoding: str, digits: int = 2) -> Estimate:
    """Estimate of one encoding, from rows with columns encoding and value."""
    return estimate(rows[rows.encoding == encoding].value.dropna().to_numpy(np.float64), digits)


def subtract(rows: pd.DataFrame, a: str, b: str, digits: int = 2) -> Estimate:
    """Estimate of a - b on the seeds that they share."""
    first, second = (rows[rows.encoding == name].set_index("seed").value for name in (a, b))
    return estimate((first - second).dropna().to_numpy(np.float64), digits)


def estimate(values: NDArray[np.float64], digits: int) -> Estimate:
    """Estimate of the mean of values [seeds]."""
    low, high = statistics.interval(values)
    return Estimate(statistics.mean(values), low, high, statistics.sign_flip_p(values), len(values), digits)


def list_verdicts(verdicts: Sequence[Verdict], words: Sequence[str] = WORDS) -> str:
    """What is ahead, not told apart and behind, as `ahead a, b; behind c`."""
    groups = {word: [each.about for each in verdicts if each.sign == 1 - i] for i, word in enumerate(words)}
    return "; ".join(f"{word} {', '.join(labels)}" for word, labels in groups.items() if labels)


def count_told_apart(verdicts: Sequence[Verdict]) -> tuple[int, int]:
    """How many are told apart, and how many of them still are at a false discovery rate of .05 of all.

    Those without a p value are not told apart and do not count.

    Source: Benjamini & Hochberg 1995
    """
    tested = [each for each in verdicts if not np.isnan(each.p_value)]
    told_apart = [each.sign != 0 for each in tested]
    if not any(told_apart):
        return 0, 0
    q_values = false_discovery_control([each.p_value for each in tested])
    return sum(told_apart), int(np.sum(q_values[told_apart] <= 1 - statistics.LEVEL))
