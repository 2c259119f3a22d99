"""Whether a study's claims hold: reports/studies/<study>/verdicts.csv, a row for each test of each claim."""

import argparse
from collections.abc import Iterator, Sequence
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import false_discovery_control

from stages.files import artifacts
from stages.measures import statistics
from stages.measures.statistics import Summary
from stages.running.command import run
from stages.studies.beside import find_published
from stages.studies.expand import require_expanded
from stages.studies.expansion import expand_task
from stages.studies.pairing import Side, find_pairs, list_values, of_side, pair_seeds
from stages.studies.schema import Study, Test, Within, load_study
from stages.studies.tables import (
    find_metric,
    name_value,
    read_table,
    report_path,
    select,
    split_name,
)
from stages.tasks.facts import find_facts

COLUMNS = [
    *("claim", "says", "main", "source", "stated", "verdict", "test", "task", "metric", "a", "a_at", "b"),
    *("b_at", "expect", "outcome", "n", "mean_a", "mean_b", "difference", "low", "high", "p", "q"),
]
ONE_SIDED = 0.90  # level of the interval of two one-sided tests at 5 %
Numbers = dict[str, Any]


def judge(study: Study, scores: pd.DataFrame, published: pd.DataFrame | None) -> pd.DataFrame:
    """Rows with columns `COLUMNS`.

    A claim holds if all its tests do, is opposed if one is. A test at several values of the axis has a row
    for each. p is the largest of its tests, q the false discovery rate over the study's claims (Benjamini &
    Hochberg 1995); both are none for tests of equivalence alone.
    """
    rows = []
    for name, claim in study.claims.items():
        tests = [
            {"test": number, **row}
            for number, test in enumerate(claim.tests, 1)
            for row in run_test(test, list_asked(study, test), scores, published)
        ]
        verdict = combine([row["outcome"] for row in tests])
        said = {"claim": name, "says": claim.says, "main": claim.main, "source": claim.source}
        rows += [said | {"stated": claim.stated, "verdict": verdict} | row for row in tests]
    table = pd.DataFrame(rows, columns=COLUMNS[:-1])
    largest = table.groupby("claim", sort=False).p.max().dropna()
    q = pd.Series(false_discovery_control(largest) if len(largest) else [], largest.index, dtype=float)
    return table.assign(q=table.claim.map(q))[COLUMNS]


def combine(outcomes: Sequence[str]) -> str:
    """The verdict of a claim from the outcomes of all its tests."""
    if "opposed" in outcomes:
        return "opposed"
    if "not run" in outcomes:
        return "not run"
    return "holds" if set(outcomes) == {"holds"} else "not told apart"


def list_asked(study: Study, test: Test) -> list[str]:
    """Values of the axis that a test asks about, also those that did not run; none without an axis."""
    if test.at:
        return [name_value(at) for at in test.at]
    of_cells: dict[str, list[str]] = {}
    for _, cell in expand_task(study, test.task):
        of_cells.setdefault(cell["cell"], []).append(cell["at"])
    both = [of_cells[side] for side in (test.a, test.b) if side in of_cells and of_cells[side] != [""]]
    if not both or "@" in f"{test.a}{test.b}":
        return []
    return [at for at in dict.fromkeys(both[0]) if all(at in values for values in both) and at]


def run_test(
    test: Test, asked: Sequence[str], scores: pd.DataFrame, published: pd.DataFrame | None
) -> Iterator[Numbers]:
    """A row for every value of the axis that is asked about; `not run` where that value did not run."""
    expect = f"within {test.expect.within:g}" if isinstance(test.expect, Within) else test.expect
    named = {"task": test.task, "metric": test.metric, "expect": expect}
    ran: set[str] = set()
    for a, b, numbers in find_numbers(test, scores, published):
        if not asked or {a[1], b[1]} & set(asked):
            ran |= {a[1], b[1]}
            sides = {"a": a[0], "a_at": a[1], "b": b[0], "b_at": b[1]}
            if isinstance(test.expect, Within):
                numbers["p"] = nan  # that of a difference, which is not what is claimed
            yield named | sides | numbers | {"outcome": decide(test, numbers)}
    a, b = split_name(test.a), split_name(test.b or name_other(test))
    for at in [value for value in asked if value not in ran] if asked else [] if ran else [a[1]]:
        yield named | {"a": a[0], "a_at": at, "b": b[0], "b_at": b[1], "outcome": "not run", "n": 0}


def name_other(test: Test) -> str:
    """What stands in place of a second cell."""
    return "published" if test.published else f"{test.than:g}"


def find_numbers(
    test: Test, scores: pd.DataFrame, published: pd.DataFrame | None
) -> Iterator[tuple[Side, Side, Numbers]]:
    """Both sides, and their difference with its interval, p, and the bounds of two one-sided tests."""
    if test.b is not None:
        for a, b in find_pairs(scores, test.task, test.metric, test.a, test.b):
            ours, others = pair_seeds(scores, test.task, test.metric, a, b)
            if len(ours):
                yield a, b, paired(ours, others)
        return
    rows, (cell, _) = select(scores, test.task, test.metric), split_name(test.a)
    for at in list_values(rows, test.a):
        values = np.asarray(of_side(rows, (cell, at)), np.float64)
        if test.than is not None:
            yield (cell, at), (name_other(test), ""), paired(values, np.full(len(values), test.than, float))
        elif published is not None:
            split, metric = find_metric(test.task, test.metric)
            theirs = find_published(published, cell, at, split, metric)
            if theirs is not None and len(values):
                yield (cell, at), ("published", at), unpaired(values, theirs)


def paired(a: statistics.Values, b: statistics.Values) -> Numbers:
    """Seed by seed: Student's t interval, p by flips of signs."""
    numbers = statistics.compare_paired(a, b)
    difference = a - b
    bounds = {"bounds": settle(difference, ONE_SIDED)}
    numbers["low"], numbers["high"] = settle(difference, statistics.LEVEL)
    kept = ("n", "mean_a", "mean_b", "difference", "low", "high")
    return {name: numbers[name] for name in kept} | {"p": numbers["p_value"]} | bounds


def settle(difference: statistics.Values, level: float) -> tuple[float, float]:
    """The interval; where all seeds agree to the last bit, as counts do, that value."""
    if len(difference) > 1 and np.ptp(difference) == 0:
        return float(difference[0]), float(difference[0])
    return statistics.interval(difference, level)


def unpaired(values: statistics.Values, theirs: Summary) -> Numbers:
    """Ours beside published means: Welch's interval."""
    ours = Summary(float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else nan, len(values))
    difference, low, high = statistics.welch_interval(ours, theirs)
    bounds = statistics.welch_interval(ours, theirs, ONE_SIDED)[1:]
    return {
        "n": ours.n,
        "mean_a": ours.mean,
        "mean_b": theirs.mean,
        "difference": difference,
        "low": low,
        "high": high,
        "p": statistics.welch_p(ours, theirs),
        "bounds": bounds,
    }


def decide(test: Test, numbers: Numbers) -> str:
    """holds, opposed, or not told apart: by the interval of the difference, of equivalence by two tests."""
    if isinstance(test.expect, Within):
        (low, high), margin = numbers["bounds"], test.expect.within
        if -margin < low and high < margin:
            return "holds"
        return "opposed" if low > margin or high < -margin else "not told apart"
    higher = find_facts(test.task).score.higher_is_better
    upwards = {"better": higher, "worse": not higher, "above": True, "below": False}[test.expect]
    low, high = (numbers["low"], numbers["high"]) if upwards else (-numbers["high"], -numbers["low"])
    return "holds" if low > 0 else "opposed" if high < 0 else "not told apart"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    name, root = parser.parse_args().study, Path()
    require_expanded(root, name)
    study = load_study(root, name)
    scores = read_table(artifacts.require(root / report_path(name, "scores"), "stages.studies.gather"))
    published = artifacts.read_csv(root / study.beside) if study.beside else None
    artifacts.write_csv(root / report_path(name, "verdicts"), judge(study, scores, published))


if __name__ == "__main__":
    run(main)
