"""Differences between a study's cells, seed by seed: its table `differences`."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pandas as pd

from stages.studies import statistics
from stages.studies.claim import METRICS
from stages.studies.pairing import find_pairs, pair_seeds
from stages.studies.schema import Study
from stages.studies.tables import COLUMNS, select


def compare(study: Study, scores: pd.DataFrame) -> pd.DataFrame:
    """Compare each pair of cells, in a row for each task, value of the axis and metric that both have.

    Columns are those of `COLUMNS`, metrics METRICS and those that the study's figure shows. p is two-sided.
    q: false discovery rate within what is compared, each metric for itself.
    """
    rows = [row for name in study.compare for row in compare_cells(study, name, scores)]
    table = pd.DataFrame(rows, columns=COLUMNS["differences"][:-1])
    q = table.groupby(["compare", "metric"]).p.transform(statistics.false_discovery_rate)
    return table.assign(q=q)


def compare_cells(study: Study, name: str, scores: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield rows of one entry of `compare`."""
    metrics = dict.fromkeys([*METRICS, *study.figure.metrics])
    of = {asked: select(scores, *asked) for asked in product(study.scored, metrics)}
    for task, (a, b), metric in product(study.scored, study.compare[name].list_pairs(), metrics):
        for one, other in find_pairs(of[task, metric], task, metric, a, b):
            numbers = statistics.compare_paired(*pair_seeds(of[task, metric], task, metric, one, other))
            if numbers["n"]:
                named = {"compare": name, "task": task, "metric": metric}
                sides = {"a": one[0], "a_at": one[1], "b": other[0], "b_at": other[1]}
                yield named | sides | numbers
