"""Verdicts are seldom wrong without an effect, and often right with one, over many simulated studies."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from stages.core.settings.checking import check
from stages.studies import claim
from stages.studies.claim import FEWEST_SEEDS
from stages.studies.judging.judge import combine, decide
from stages.studies.judging.statistics import Estimate, Summary, estimate, welch
from stages.studies.tables import find_score

Draws = NDArray[np.float64]
Law = Callable[[np.random.Generator, Sequence[int]], Draws]
Simulated = list[list[Estimate]]  # of each study those of its claim's tests
STUDIES = 2000
CHANCE = 3.5 * (0.05 * 0.95 / STUDIES) ** 0.5  # by which a rate of 5 % is exceeded once in 4000 times
WITHIN = {"within": 1.0}  # in standard deviations of a difference, as all values here
SEEDS = [3, 5, 8, 15]


@pytest.fixture(autouse=True)
def facts_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stages.studies.judging.claimed.find_score", cache(find_score))


def draw_normal(random: np.random.Generator, shape: Sequence[int]) -> Draws:
    return random.normal(size=shape)


def draw_skewed(random: np.random.Generator, shape: Sequence[int]) -> Draws:
    return random.exponential(size=shape) - 1


def draw_counts(random: np.random.Generator, shape: Sequence[int]) -> Draws:
    """Draw counts of 16 puzzles, most of them solved."""
    solved = random.binomial(16, 0.8, shape)
    standard: Draws = (solved - 16 * 0.8) / np.sqrt(16 * 0.8 * 0.2)
    return standard


def draw_pairs(law: Law, n: int, tests: int = 1) -> Draws:
    """Draw differences [studies, tests, n] of two cells that do not differ.

    All tests share one of the two.
    """
    random = np.random.default_rng(n)
    one, others = law(random, (STUDIES, 1, n)), law(random, (STUDIES, tests, n))
    return (one - others) / 2**0.5


def estimate_all(differences: Draws) -> Simulated:
    return [[estimate(values) for values in study] for study in differences]


def estimate_published(law: Law, n: int, ratio: float, effect: float = 0.0) -> Simulated:
    """Estimate ours compared with 15 published seeds, whose standard deviation is `ratio` of ours."""
    random = np.random.default_rng(n)
    ours, theirs = effect + law(random, (STUDIES, n)), ratio * law(random, (STUDIES, 15))
    sides = ([Summary(row.mean(), row.std(ddof=1), len(row)) for row in side] for side in (ours, theirs))
    return [[welch(a, b)] for a, b in zip(*sides, strict=True)]


def move(simulated: Simulated, effect: float) -> Simulated:
    return [[one._replace(value=one.value + effect) for one in study] for study in simulated]


def rate(verdict: str, simulated: Simulated, *expected: Any) -> float:
    """Return the share of studies with that verdict; expected: of each test, or one for all."""
    tests = [check(claim.Test, {"task": "grid", "a": "a", "b": "b", "expect": one}, "") for one in expected]
    tests *= len(simulated[0]) // len(tests)
    verdicts = [
        combine([decide(test, one, FEWEST_SEEDS, len(tests)) for test, one in zip(tests, study, strict=True)])
        for study in simulated
    ]
    return verdicts.count(verdict) / len(verdicts)


def list_errors(simulated: Simulated) -> Iterable[float]:
    """List how often each verdict is wrong where nothing differs, and where a difference is the margin's end.

    Worse and below mirror better and above.
    """
    for verdict, expect in product(("holds", "opposed"), ("better", "below")):
        yield rate(verdict, simulated, expect)
    yield rate("holds", move(simulated, -1.0), WITHIN)
    yield rate("opposed", move(simulated, 1.0), WITHIN)


@pytest.mark.parametrize("n", SEEDS)
@pytest.mark.parametrize("law", [draw_normal, draw_skewed, draw_counts])
def test_cells_that_do_not_differ_are_seldom_told_apart(law: Law, n: int) -> None:
    assert max(list_errors(estimate_all(draw_pairs(law, n)))) <= 0.05 + CHANCE


@pytest.mark.parametrize(("n", "most"), [(3, 0.06), (8, 0.05)])
@pytest.mark.parametrize("law", [draw_normal, draw_counts])
def test_constants_that_are_the_mean_are_seldom_told_apart(law: Law, n: int, most: float) -> None:
    alone = law(np.random.default_rng(n), (STUDIES, 1, n))
    assert max(list_errors(estimate_all(alone))) <= most + CHANCE


def test_constants_beside_skewed_seeds_are_told_apart_too_often() -> None:
    alone = estimate_all(draw_skewed(np.random.default_rng(0), (STUDIES, 1, 3)))
    assert 0.09 < rate("holds", alone, "below") < 0.14  # 11.5 %, as 88 % of intervals cover the mean
    assert rate("holds", alone, "above") < 0.02


@pytest.mark.parametrize(("n", "most"), [(3, 0.06), (5, 0.05), (8, 0.05), (15, 0.05)])
@pytest.mark.parametrize("ratio", [0.5, 2.0])
def test_published_means_that_are_ours_are_seldom_told_apart(n: int, most: float, ratio: float) -> None:
    assert max(list_errors(estimate_published(draw_normal, n, ratio))) <= most + CHANCE


@pytest.mark.parametrize("n", SEEDS)
def test_a_claim_errs_no_oftener_for_having_many_tests(n: int) -> None:
    six = draw_pairs(draw_normal, n, tests=6)
    assert rate("opposed", estimate_all(six), "better") <= 0.05 + CHANCE
    assert rate("opposed", estimate_all(six), "better", WITHIN, "below") <= 0.05 + CHANCE
    six[:, 1:] += 10  # one of them is not so
    assert 0.01 < rate("holds", estimate_all(six), "better") <= 0.05 + CHANCE


def test_effects_are_found() -> None:
    six = estimate_all(draw_pairs(draw_normal, 8, tests=6))
    assert rate("holds", move(six, 3), "better") > 0.95
    assert rate("opposed", move(six, -3), "better") > 0.95
    assert rate("holds", move(six, -3), "below") > 0.95
    assert rate("holds", estimate_all(draw_pairs(draw_normal, 8)), {"within": 1.5}) > 0.95
    assert rate("opposed", move(six, 3), {"within": 0.5}) > 0.95
    assert rate("holds", estimate_published(draw_normal, 8, 1.0, effect=3), "better") > 0.95
