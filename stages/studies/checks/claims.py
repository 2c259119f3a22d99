"""Claims whose tests cannot decide anything: told before anything is trained."""

from math import inf
from typing import Any

from stages.core.settings.errors import InputError
from stages.studies.claim import Claim, Test, Within
from stages.studies.judging.claimed import claimed
from stages.studies.schema import Study
from stages.studies.tables import find_metric, find_score
from stages.tasks.facts import find_facts

SMALLEST = 1e-9  # margin: scores are not told apart below
# ends of what metrics can be, by a word of their names
BOUNDS = {
    **dict.fromkeys(("accuracy", "auc", "agrees", "diverged"), (0.0, 1.0)),
    **dict.fromkeys(("alignment", "cosine"), (-1.0, 1.0)),
    **dict.fromkeys(("mse", "mae", "loss", "rank"), (0.0, inf)),
    "r2": (-inf, 1.0),
}


def check_claims(study: Study) -> None:
    """Raise InputError for a number that a metric cannot have, or tests that repeat or deny each other."""
    for name, claim in study.claims.items():
        for test in claim.tests:
            check_bounds(f"claims.{name}", test)
        check_tests(f"claims.{name}", claim)


def check_bounds(place: str, test: Test) -> None:
    if test.correlate is not None and len(name_measured(test)) < 2:
        raise InputError(
            f"{place}: {test.measured} given, which is one metric twice; correlate it with another"
        )
    low, high = find_bounds(test)
    if test.than is not None and not low <= test.than <= high:
        known = f"{test.measured} lies between {low:g} and {high:g}"
        raise InputError(f"{place}: than: {test.than:g} given, but {known}; correct the number")
    least, most = claimed(test)
    if test.than is not None and (least >= 0 and test.than >= high or most <= 0 and test.than <= low):
        raise InputError(
            f"{place}: {test.measured} can never be {test.expected} {test.than:g}; correct the number"
        )
    if isinstance(test.expect, Within) and not SMALLEST <= most < high - low:
        least_told = f"a margin of {SMALLEST:g} or more" + f", less than {high - low:g}" * (high - low < inf)
        raise InputError(f"{place}: within: {most:g} given, expected {least_told}; correct the number")


def find_bounds(test: Test) -> tuple[float, float]:
    """Find the least and greatest value that the metric of a test can have, as far as its name tells."""
    if test.correlate is not None:
        return -1.0, 1.0
    _, metric = find_metric(test.task, test.metric)
    if metric in ("seen", "new"):
        metric = find_score(test.task).metric
    return next((BOUNDS[word] for word in metric.split("_") if word in BOUNDS), (-inf, inf))


def name_measured(test: Test) -> list[tuple[str, str]]:
    """Name what a test measures, split and metric, of a correlation both in order; a measure has one name."""
    found = {find_metric(test.task, one) for one in (test.metric, test.correlate) if one}
    judging = find_facts(test.task).references[:1] if test.task else ()  # no other is scored as `alignment`
    same = {("tables", f"alignment_{name}"): ("tables", "alignment") for name in judging}
    return sorted({same.get(one, one) for one in found})


def check_tests(place: str, claim: Claim) -> None:
    """Raise InputError for a test that is given twice, or denies another: of a - b and of b - a alike."""
    left: dict[tuple[Any, ...], tuple[float, float]] = {}
    for number, test in enumerate(claim.tests):
        if test in claim.tests[:number]:
            raise InputError(f"{place}: {test.a} compared with {test.other} twice; leave one out")
        low, high = (edge + (test.than or 0) for edge in claimed(test))
        sides = [test.a] if test.than is not None else sorted([test.a, test.other])
        if test.a != sides[0]:
            low, high = -high, -low
        compared = (test.task, *name_measured(test), *sides, test.over, *sorted(map(str, test.at)))
        least, most = left.get(compared, (-inf, inf))
        left[compared] = max(low, least), min(high, most)
        if left[compared][0] >= left[compared][1]:
            raise InputError(
                f"{place}: tests of {test.measured} of {' and '.join(sides)} deny each other, so the claim "
                "cannot hold; leave one out"
            )
