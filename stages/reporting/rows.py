"""Write the rows of a page's tables in words: means, differences and tests of a study."""

from typing import Any

import pandas as pd

from stages.figures.names import name_axis, name_cell, name_metric, name_side
from stages.reporting.behind import write_query
from stages.reporting.numbers import MINUS, write_measured, write_numbers, write_p
from stages.studies.claim import Within
from stages.studies.judging.results import Decided, Difference
from stages.studies.judging.statistics import Numbers, intervals
from stages.studies.schema import Study
from stages.studies.tables import select
from stages.tasks.facts import find_facts

Written = dict[str, str]
MEANS = ("score", "alignment")  # metrics


def list_lost(study: Study, scores: pd.DataFrame) -> list[str]:
    """List cells of which seeds diverged, and how many: these seeds have no scores."""
    is_lost = (scores.split == "train") & (scores.metric == "diverged") & (scores.value == 1)
    of_cells = scores.assign(lost=scores.seed.where(is_lost)).groupby(["task", "cell", "at"], sort=False)
    counted = of_cells[["lost", "seed"]].nunique().query("lost > 0").reset_index()
    return [
        f"{find_facts(task).title}, {name_side(study, cell, at)}: {count} of {seeds} seeds"
        for task, cell, at, count, seeds in counted.itertuples(index=False)
    ]


def write_means(study: Study, scores: pd.DataFrame) -> list[Written]:
    """Write mean score and alignment of each cell and floor over its seeds, with interval and n."""
    means = []
    for task, metric in ((task, metric) for task in study.tasks for metric in MEANS):
        named = {"task": find_facts(task).title, "metric": name_metric(task, metric)}
        rows: Any = intervals(select(scores, task, metric), ["cell", "at"]).itertuples()
        for row in rows:
            mean = Numbers(row.n, row.mean, 0.0, row.mean, row.low, row.high)
            of_cell = {"cell": name_side(study, row.cell, row.at), "n": str(row.n)}
            means.append(named | write_numbers(mean) | of_cell)
    return means


def write_test(study: Study, decided: Decided) -> Written:
    """Write a test with its outcome; n names its unit where it counts no seeds."""
    test, numbers = decided.test, decided.difference.numbers
    written = write_row(study, decided.difference)
    written |= {"expect": test.expected, "outcome": decided.outcome}
    counted = f"values of {axis}" if (axis := name_axis(study)) else "settings"
    written["n"] += f" {counted}" if test.over == "axis" else " groups of rows" if study.tables else ""
    if test.than is not None and written["sum"]:
        written |= write_measured(numbers)
        written["sides"] = f"{written['a']}, expected {test.expected} {written['b']}"
    if isinstance(test.expect, Within) and written["interval"].startswith("["):
        written["interval"] += " 90 %"
    return written


def write_row(study: Study, found: Difference) -> Written:
    """Write a difference, every cell as text."""
    task, (a, b) = found.task, (name_side(study, *side) for side in (found.a, found.b))
    return {
        "key": task,
        "compare": name_cell(found.compare),
        "task": find_facts(task).title if task else "table",
        "metric": name_metric(task, found.metric),
        "a": a,
        "b": b,
        "sides": f"{a} {MINUS} {b}",
        "n": f"{found.numbers.n:.0f}",
        "query": write_query(found),
        "p": write_p(found.numbers.p),
        "q": write_p(found.numbers.q),
        **write_numbers(found.numbers),
    }
