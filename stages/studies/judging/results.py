"""Rows of the tables `differences` and `verdicts`: how they are written, and read back for pages."""

from collections.abc import Sequence
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from stages.studies.claim import Claim, Test, Within
from stages.studies.judging.pairing import Side
from stages.studies.judging.statistics import Numbers
from stages.studies.tables import VERDICTS, name_value


class Difference(NamedTuple):
    """A metric of a less that of b."""

    task: str
    metric: str  # as a study names it, or two that are correlated
    a: Side
    b: Side
    numbers: Numbers = Numbers()
    compare: str = ""  # the entry of the study's `compare`, "" for a test

    def as_row(self) -> dict[str, Any]:
        """Return its columns of a table."""
        sides = {"a": self.a[0], "a_at": self.a[1], "b": self.b[0], "b_at": self.b[1]}
        named = {"compare": self.compare, "task": self.task, "metric": self.metric}
        return named | sides | self.numbers._asdict()


class Decided(NamedTuple):
    """A test at one value of the axis, with its outcome."""

    test: Test
    difference: Difference
    outcome: str


class Verdict(NamedTuple):
    """A verdict on a claim; without tests where they did not run."""

    outcome: str = VERDICTS[-1]
    q: float = nan
    tests: Sequence[Decided] = ()
    weakest: Decided | None = None  # the test that supports the claim least


def read_verdict(key: str, claim: Claim, table: pd.DataFrame) -> Verdict:
    """Read a claim's rows of `verdicts`; none where it said something else then, or had other tests."""
    tests = dict(enumerate(claim.tests, 1))
    rows: list[Any] = [*table[(table.claim == key) & (table.says == claim.says)].itertuples()]
    if {row.test for row in rows} != set(tests) or not all(is_of(tests[row.test], row) for row in rows):
        return Verdict()
    decided = [Decided(tests[row.test], read_row(row), row.outcome) for row in rows]
    return Verdict(rows[0].verdict, rows[0].q, decided, min(decided, key=rank))


def read_row(row: Any) -> Difference:
    """Read a row of either table."""
    numbers = Numbers(**{name: getattr(row, name) for name in Numbers._fields if hasattr(row, name)})
    return Difference(
        row.task, row.metric, (row.a, row.a_at), (row.b, row.b_at), numbers, getattr(row, "compare", "")
    )


def is_of(test: Test, row: Any) -> bool:
    """Tell whether a row of verdicts is of a test and of a value of the axis that it names, if any."""
    if (test.task, test.measured, test.expected) != (row.task, row.metric, row.expect):
        return False
    sides = ((test.a, row.a, row.a_at), (test.other, row.b, row.b_at))
    asked = {row.a_at, row.b_at} & set(map(name_value, test.at)) or not test.at or test.over == "axis"
    return bool(asked) and all(name in (cell, f"{cell}@{at}") for name, cell, at in sides)


def rank(decided: Decided) -> tuple[int, bool, float, float]:
    """Rank an outcome by how little it supports its claim: the least is the weakest.

    Outcomes come first: not run, diverged, opposed, open, holds. Among equals, that models fit alike comes
    last, as others are asked under it. Then tests of equivalence come first, led by the interval that ends
    farthest out for its margin. Then come tests of a difference, led by the smallest difference for its
    interval; among opposed ones by the largest.
    """
    numbers, order = decided.difference.numbers, VERDICTS[::-1].index(decided.outcome)
    size, width = abs(numbers.difference), numbers.high - numbers.low
    if isinstance(decided.test.expect, Within):
        farthest = np.nanmax([size, abs(numbers.low), abs(numbers.high)])
        is_condition = decided.test.metric == "train"
        return order, is_condition, -inf, -float(farthest) / decided.test.expect.within
    with np.errstate(divide="ignore", invalid="ignore"):
        clear = float(np.nan_to_num(np.divide(size, width), posinf=inf))
    return (order, False, -clear, -size) if decided.outcome == "opposed" else (order, False, clear, size)
