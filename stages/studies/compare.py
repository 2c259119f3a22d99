"""Differences between a study's cells, seed by seed: reports/studies/<study>/differences.csv."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from stages.files import artifacts
from stages.measures import statistics
from stages.running.command import run
from stages.studies.pairing import find_pairs, pair_seeds
from stages.studies.rendering import require_expanded
from stages.studies.schema import Study, load_study
from stages.studies.tables import read_table, report_path

METRICS = ("score", "train", "alignment")
COLUMNS = [
    *("compare", "task", "metric", "a", "a_at", "b", "b_at", "n", "mean_a", "mean_b", "difference"),
    *("low", "high", "effect_size", "p", "q"),
]


def compare(study: Study, scores: pd.DataFrame) -> pd.DataFrame:
    """A row for each pair of cells, task, value of the axis and metric that both have, columns `COLUMNS`.

    Metrics are METRICS and those that the study's figure shows. q: false discovery rate within what is
    compared, each metric for itself.
    """
    rows = [row for name in study.compare for row in compare_cells(study, name, scores)]
    table = pd.DataFrame(rows, columns=COLUMNS[:-1])
    q = table.groupby(["compare", "metric"]).p.transform(statistics.false_discovery_rate)
    return table.assign(q=q)


def compare_cells(study: Study, name: str, scores: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Rows of one entry of `compare`."""
    for task in study.scored:
        for a, b in study.compare[name].list_pairs():
            for metric in dict.fromkeys([*METRICS, *study.figure.metrics]):
                for (a_cell, a_at), (b_cell, b_at) in find_pairs(scores, task, metric, a, b):
                    values = pair_seeds(scores, task, metric, (a_cell, a_at), (b_cell, b_at))
                    numbers = statistics.compare_paired(*values)
                    if numbers["n"]:
                        named = {"compare": name, "task": task, "metric": metric}
                        sides = {"a": a_cell, "a_at": a_at, "b": b_cell, "b_at": b_at}
                        yield named | sides | numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    name, root = parser.parse_args().study, Path()
    require_expanded(root, name)
    scores = read_table(artifacts.require(root / report_path(name, "scores"), "stages.studies.gather"))
    artifacts.write_csv(root / report_path(name, "differences"), compare(load_study(root, name), scores))


if __name__ == "__main__":
    run(main)
