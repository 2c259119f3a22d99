"""Whether models err where people do: accuracy on puzzles of each relational complexity, beside people's.

Of people only the mean and standard deviation over persons are known, for three complexities. A correlation
over three points says little: by chance the order is that of people in 1 of 6 draws. Read the slope with its
interval.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import t

from stages.measures.statistics import LEVEL, interval, mean

Values = NDArray[np.float64]

COLUMNS = [
    *("encoding", "n", "same_order", "seeds_same_order", "correlation", "n_points"),
    *("slope", "low", "high", "slope_people", "difference", "difference_low", "difference_high"),
    *("bootstrap_low", "bootstrap_high", "n_people"),
]
LEVELS = ("binary", "ternary", "quaternary")  # relational complexity of puzzles, easiest first
DRAWS = 10_000


def compare(models: Mapping[str, Values], people: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """One row per model, columns `COLUMNS`.

    models: accuracy [seeds, levels] by name; people: accuracy_mean, accuracy_sd and n_subjects of each level,
    from the easiest. slope: accuracy per level. difference: model's slope minus people's; its interval is
    Welch's, bootstrap_*: the bootstrap's over seeds and people.
    """
    level = np.arange(len(people), dtype=np.float64)
    weights = (level - level.mean()) / np.sum((level - level.mean()) ** 2)
    means, sd = people.accuracy_mean.to_numpy(np.float64), people.accuracy_sd.to_numpy(np.float64)
    n_people = int(people.n_subjects.min())
    of_people = float(means @ weights)
    # ASSUME: a person's accuracies at two levels are unrelated; if they go together the error is smaller
    error = float(np.sqrt(weights**2 @ (sd**2 / n_people)))
    rows = []
    for name, accuracy in models.items():
        slopes = accuracy @ weights
        average = accuracy.mean(axis=0)
        difference = mean(slopes) - of_people
        rows.append(
            [
                *(name, len(slopes), follows(average, means), sum(follows(seed, means) for seed in accuracy)),
                *(correlation(average, means), len(means), mean(slopes), *interval(slopes), of_people),
                *(difference, *welch(slopes, difference, error, n_people)),
                *bootstrap(slopes, of_people, error, random),
                n_people,
            ]
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def follows(accuracy: Values, people: Values) -> bool:
    """Whether accuracy rises and falls from level to level as it does for people."""
    return bool(np.all(np.sign(np.diff(accuracy)) == np.sign(np.diff(people))))


def correlation(accuracy: Values, people: Values) -> float:
    """Pearson's; NaN where one of the two is the same at all levels."""
    if np.ptp(accuracy) == 0 or np.ptp(people) == 0:
        return np.nan
    return float(np.corrcoef(accuracy, people)[0, 1])


def welch(slopes: Values, difference: float, error: float, n_people: int) -> tuple[float, float]:
    """Student's t interval of a difference of two means with unequal errors (Welch, 1947); NaN for 1 seed."""
    n = len(slopes)
    if n < 2:
        return np.nan, np.nan
    of_seeds, of_people = float(slopes.var(ddof=1)) / n, error**2
    if of_seeds + of_people == 0:
        return difference, difference
    freedom = (of_seeds + of_people) ** 2 / (of_seeds**2 / (n - 1) + of_people**2 / (n_people - 1))
    half = float(t.ppf((1 + LEVEL) / 2, freedom)) * (of_seeds + of_people) ** 0.5
    return difference - half, difference + half


def bootstrap(
    slopes: Values, of_people: float, error: float, random: np.random.Generator
) -> tuple[float, float]:
    """Percentiles of the difference: seeds drawn with replacement, people's slope from its normal error.

    Few seeds make it too narrow: of 3 normal draws such an interval holds the mean 3 times in 4.
    """
    if len(slopes) < 2:
        return np.nan, np.nan
    means = random.choice(slopes, (DRAWS, len(slopes))).mean(axis=1)
    differences = means - random.normal(of_people, error, DRAWS)
    low, high = np.quantile(differences, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
