"""Judge a study's claims: its table `verdicts`, a row for each test of each claim."""

from collections.abc import Iterator, Sequence
from math import nan

import numpy as np
import pandas as pd

from stages.studies.axis_values import list_axis_values
from stages.studies.claim import FEWEST_SEEDS, Test, Within
from stages.studies.judging import statistics
from stages.studies.judging.beside import find_theirs
from stages.studies.judging.claimed import claimed, find_alternative, list_named
from stages.studies.judging.correlating import correlate_models
from stages.studies.judging.pairing import Side, find_pairs, list_values, of_side, pair_means, pair_seeds
from stages.studies.judging.results import Difference
from stages.studies.judging.statistics import Numbers, Summary, Uncertain
from stages.studies.schema import Study, split_cell
from stages.studies.tables import COLUMNS, name_value, select, split_name

ONE_SIDED = 0.90  # level of the interval of two one-sided tests at 5 %


def judge(study: Study, scores: pd.DataFrame, published: pd.DataFrame | None) -> pd.DataFrame:
    """Judge all claims, in rows with columns `COLUMNS["verdicts"]`.

    A claim holds if all its tests do, and is opposed if one is. A test at several values of the axis has a
    row for each, whose p is one-sided, as the claim is. A claim's p is the largest of its rows (Berger 1982,
    Technometrics 24, 295), q the false discovery rate over the study's claims. A claim has neither if a row
    has no p: not run, or of equivalence.
    """
    rows = []
    for name, claim in study.claims.items():
        tested = [
            (number, test, found)
            for number, test in enumerate(claim.tests, 1)
            for found in run_test(study, test, scores, published)
        ]
        outcomes = [find_outcome(test, found, len(tested), scores) for _, test, found in tested]
        said = {"claim": name, "says": claim.says, "main": claim.main, "source": claim.source}
        said |= {"stated": claim.stated, "verdict": combine(outcomes)}
        for (number, test, found), outcome in zip(tested, outcomes, strict=True):
            of_test = {"test": number, "expect": test.expected, "outcome": outcome}
            rows.append(said | of_test | found.as_row())
    table = pd.DataFrame(rows, columns=COLUMNS["verdicts"])
    largest = table.groupby("claim", sort=False).p.agg(lambda p: p.max(skipna=False)).astype(np.float64)
    return table.assign(q=table.claim.map(statistics.false_discovery_rate(largest)))


def combine(outcomes: Sequence[str]) -> str:
    """Combine the outcomes of all tests of a claim to its verdict."""
    if "opposed" in outcomes:
        return "opposed"
    for missing in ("not run", "diverged"):
        if missing in outcomes:
            return missing
    return "holds" if set(outcomes) == {"holds"} else "open"


def list_asked(study: Study, test: Test, scores: pd.DataFrame) -> list[str]:
    """List the values of the axis that a test asks about, also those that did not run."""
    if test.at:
        return [name_value(at) for at in test.at]
    sides = [list_planned(study, test.task, side, scores) for side in (test.a, test.b) if side in study.cells]
    both = [values for values in sides if values != [""]]
    return [at for at in both[0] if all(at in values for values in both) and at] if both else []


def list_planned(study: Study, task: str, cell: str, scores: pd.DataFrame) -> list[str]:
    """List the values of the axis at which a cell is to run on a task, "" where the axis does not concern it.

    ASSUME that it concerns a cell which was scored at one of its values: encodings are not imported for it.
    """
    own, configuration = split_cell(cell, study.cells[cell])
    if task not in (own.tasks or study.tasks):
        return []
    varied = bool((scores[(scores.task == task) & (scores.cell == cell)]["at"] != "").any())
    return [value.at for value in list_axis_values(study, task, configuration, own, varied)]


def run_test(
    study: Study, test: Test, scores: pd.DataFrame, published: pd.DataFrame | None
) -> Iterator[Difference]:
    """Yield a difference for every value of the axis that is tested; no estimate where it did not run."""
    asked = list_asked(study, test, scores)
    if test.correlate is not None or test.over == "axis":
        if test.correlate is not None:
            numbers = correlate_models(study, test, asked, scores, published)
        else:
            numbers = compare_over_axis(test, asked, scores)
        sides = split_name(test.a), (test.other, "")
        yield Difference(test.task, test.measured, *sides, as_decided(test, numbers))
        return
    ran: set[str] = set()
    for a, b, numbers in find_numbers(study, test, scores, published):
        at = find_at(test, a, b)
        if not asked or at in asked:
            ran.add(at)
            yield Difference(test.task, test.measured, a, b, as_decided(test, numbers))
    (cell_a, a_at), (cell_b, b_at) = map(split_name, (test.a, test.other))
    for at in asked or ([] if ran else [""]):
        if at not in ran:
            b = cell_b, b_at or (at if a_at else "")
            yield Difference(test.task, test.measured, (cell_a, a_at or at), b)


def find_at(test: Test, a: Side, b: Side) -> str:
    """Find the value of the axis that a row is about: that of a side whose name leaves it open."""
    left_open = [at for name, (_, at) in zip((test.a, test.other), (a, b), strict=True) if "@" not in name]
    return next(filter(None, left_open), a[1])


def compare_over_axis(test: Test, asked: Sequence[str], scores: pd.DataFrame) -> Numbers:
    """Count values of the axis; no estimate unless all of them ran.

    `lost`: at some value fewer than FEWEST_SEEDS seeds are left of more, so that its mean is less sure.
    """
    rows = select(scores, test.task, test.metric)
    ours, others, seeds = pair_means(rows, test.a, str(test.b), asked)
    if not asked or len(ours) < len(asked):
        return Numbers()
    numbers = statistics.compare_paired(ours, others, find_alternative(test))
    return numbers._replace(lost=min(seeds) < min(FEWEST_SEEDS, max(seeds)))


def as_decided(test: Test, numbers: Numbers) -> Numbers:
    """Give numbers the interval that decides; of equivalence without p, which is that of a difference."""
    if numbers.estimate is None or not isinstance(test.expect, Within):
        return numbers
    low, high = numbers.estimate.interval(ONE_SIDED)
    return numbers._replace(low=low, high=high, p=nan)


def find_numbers(
    study: Study, test: Test, scores: pd.DataFrame, published: pd.DataFrame | None
) -> Iterator[tuple[Side, Side, Numbers]]:
    """Find both sides, and all numbers of their difference; nothing where no seed has both."""
    rows, alternative = select(scores, test.task, test.metric), find_alternative(test)
    if test.b is not None:
        for a, b in find_pairs(rows, test.a, test.b):
            ours, others = pair_seeds(rows, a, b)
            if len(ours):
                yield a, b, statistics.compare_paired(ours, others, alternative)
        return
    theirs, (cell, _) = find_theirs(published, study, test.task, test.metric), split_name(test.a)
    for at in list_values(rows, test.a):
        values = np.asarray(of_side(rows, (cell, at)), np.float64)
        beside = theirs[(theirs.cell == cell) & (theirs["at"] == at)]
        if len(values) and test.than is not None:
            constant = np.full(len(values), test.than, np.float64)
            yield (cell, at), (test.other, ""), statistics.compare_paired(values, constant, alternative)
        elif len(values) and test.published and len(beside):
            row = beside.iloc[0]
            summary = Summary(float(row["mean"]), float(row["sd"]), int(row["n_seeds"]))
            compared = statistics.compare_published(values, summary, alternative)
            yield (cell, at), ("published", at), compared


def find_outcome(test: Test, found: Difference, tests: int, scores: pd.DataFrame) -> str:
    """Find the outcome of one of so many tests of a claim, also if there is nothing to decide.

    Seeds that are left where others diverged decide nothing, as it is no chance which are left.
    """
    numbers = found.numbers
    if has_diverged(test, found, scores):
        return "diverged"
    return "open" if numbers.lost else decide(test, numbers.estimate, numbers.n, tests)


def has_diverged(test: Test, found: Difference, scores: pd.DataFrame) -> bool:
    """Tell whether training of a side diverged, for one seed or more, unless that is what is tested."""
    if "train/diverged" in test.metrics:
        return False
    lost = scores[(scores.task == found.task) & (scores.metric == "diverged") & (scores.value == 1)]
    for cell, at in (found.a, found.b):
        of_cell, named = lost[lost.cell == cell], [at] if at else list_named(test, cell)
        if len(of_cell[of_cell["at"].isin([*named, ""])] if named else of_cell):
            return True
    return False


def decide(test: Test, estimate: Uncertain | None, seeds: int, tests: int) -> str:
    """Decide one of so many tests of a claim: by where the interval of the difference is.

    Two seeds decide nothing: where they happen to agree, the interval has no width.

    A claim holds if all tests do, so each is made at the full level: 2.5 % on a side, of equivalence two
    one-sided tests at 5 % (Schuirmann 1987). One test suffices to oppose it, so each has its share of 2.5 %
    on a side (Bonferroni; Dunn 1961, doi 10.1080/01621459.1961.10482090).

    ASSUME scores are about normal over seeds where they are compared with a constant. Of two cells, only
    their differences need be symmetric, which they are if the cells do not differ.
    """
    if estimate is None:
        return "not run"
    if seeds < FEWEST_SEEDS:
        return "open"
    least, most = claimed(test)
    low, high = estimate.interval(ONE_SIDED if isinstance(test.expect, Within) else statistics.LEVEL)
    if least < low and high < most:
        return "holds"
    low, high = estimate.interval(1 - (1 - statistics.LEVEL) / tests)
    return "opposed" if low > most or high < least else "open"
