"""Differences between a study's cells, seed by seed: its table `differences`."""

from collections.abc import Iterator
from itertools import product

import pandas as pd

from stages.studies.judging import statistics
from stages.studies.judging.pairing import find_pairs, pair_seeds
from stages.studies.judging.results import Difference
from stages.studies.schema import Study
from stages.studies.tables import COLUMNS, select

METRICS = ("score", "train", "alignment")  # that every pair is compared in


def find_differences(study: Study, scores: pd.DataFrame) -> pd.DataFrame:
    """Compare each pair of cells, in a row for each task, value of the axis and metric that both have.

    Columns are those of `COLUMNS`, metrics METRICS and those that the study's figure shows. p is two-sided.
    q: false discovery rate within what is compared, each metric for itself.
    """
    rows = [one.as_row() for name in study.compare for one in compare_cells(study, name, scores)]
    table = pd.DataFrame(rows, columns=COLUMNS["differences"])
    q = table.groupby(["compare", "metric"]).p.transform(statistics.false_discovery_rate)
    return table.assign(q=q)


def compare_cells(study: Study, name: str, scores: pd.DataFrame) -> Iterator[Difference]:
    """Yield differences of one entry of `compare`."""
    metrics = dict.fromkeys([*METRICS, *study.figure.metrics])
    of = {asked: select(scores, *asked) for asked in product(study.scored, metrics)}
    for task, (a, b), metric in product(study.scored, study.compare[name].list_pairs(), metrics):
        for sides in find_pairs(of[task, metric], a, b):
            numbers = statistics.compare_paired(*pair_seeds(of[task, metric], *sides))
            if numbers.n:
                yield Difference(task, metric, *sides, numbers, name)
