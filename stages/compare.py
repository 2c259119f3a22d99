"""Differences between configurations, seed by seed, tested, and the interval of every score's mean."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pandas as pd

from stages import artifacts, params
from stages.command import run
from stages.figures.sigmas import learned_sigmas
from stages.measures import headline, statistics

RUNS = Path("reports/tables/runs.csv")
ALIGNMENT = Path("reports/tables/alignment.csv")
TESTS = Path("reports/tables/tests.csv")
INTERVALS = Path("reports/tables/intervals.csv")

REFERENCE_SIGMA = 0.2  # that other sigmas are compared with: the best published one


def against_reference(sigmas: dict[str, float]) -> list[tuple[str, str]]:
    """Pairs of each learned configuration with the one of the reference sigma; none where that is absent."""
    reference = [name for name, sigma in sigmas.items() if sigma == REFERENCE_SIGMA]
    return [(name, reference[-1]) for name in sigmas if reference and name not in reference]


def tests_of(
    task: str, settings: params.Params, runs: pd.DataFrame, aligned: pd.DataFrame
) -> Iterator[pd.DataFrame]:
    """All tests of a task. Families: what differs (`sigma`, `scheme`), then in what.

    runs, aligned: rows of runs.csv and alignment.csv. Alignment is Spearman's, blocks side by side.
    """
    sigmas = learned_sigmas(settings, task)
    others = [name for name in settings.configurations(task) if name not in sigmas]
    pairs = against_reference(sigmas)
    split, metric, _ = headline.OF_TASK[task]
    scores = runs[(runs.task == task) & (runs.split == split)]
    yield statistics.compare(scores, pairs, metric, "sigma: generalisation")
    yield statistics.compare(scores, list(product(sigmas, others)), metric, "scheme: generalisation")
    together = aligned[(aligned.task == task) & (aligned.block == "all") & (aligned.measure == "spearman")]
    for reference, rows in together.groupby("reference", sort=False):
        named = rows.assign(metric=f"alignment_{reference}")
        yield statistics.compare(named, pairs, f"alignment_{reference}", "sigma: alignment")


def main() -> None:
    settings = params.load()
    runs = artifacts.read_csv(artifacts.existing(RUNS, "analyse"))
    aligned = artifacts.read_csv(artifacts.existing(ALIGNMENT, "analyse"), block=str)
    tests = [one for task in params.TASKS for one in tests_of(task, settings, runs, aligned)]
    some = [one for one in tests if len(one)]
    artifacts.write_csv(TESTS, statistics.adjust(pd.concat(some or tests)))
    has_seeds = ~runs.encoding.str.startswith("floor_")
    artifacts.write_csv(INTERVALS, statistics.intervals(runs[has_seeds]))


if __name__ == "__main__":
    run(main)
