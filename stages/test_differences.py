"""Differences between configurations, tested; the interval of every score's mean; models beside people."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.measures import headline, people, statistics
from stages.parameters import params
from stages.parameters.sigmas import learned_sigmas
from stages.randomness.streams import generator
from stages.running.command import run

RUNS = Path("reports/tables/runs.csv")
ALIGNMENT = Path("reports/tables/alignment.csv")
TESTS = Path("reports/tables/tests.csv")
INTERVALS = Path("reports/tables/intervals.csv")
OF_PEOPLE = Path("data/reference/lst_human_accuracy.csv")
PEOPLE = Path("reports/tables/people.csv")

REFERENCE_SIGMA = 0.2  # that other sigmas are compared with: the best published one
PEOPLE_ORDER = 4  # of the squares that people solved


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


def beside_people(settings: params.Params, runs: pd.DataFrame) -> pd.DataFrame:
    """Whether errors on validation puzzles grow with complexity as people's do; no rows for other squares."""
    levels = [f"accuracy_{name}" for name in people.LEVELS]
    scores = runs[(runs.task == "grid") & (runs.split == "validation") & runs.metric.isin(levels)]
    wide = scores.pivot(index=["encoding", "seed"], columns="metric", values="value").dropna()
    models = {}
    if settings.grid.order == PEOPLE_ORDER and set(levels) <= set(wide.columns):
        models = {str(name): one[levels].to_numpy() for name, one in wide.groupby("encoding", sort=False)}
    known = artifacts.read_csv(OF_PEOPLE).set_index("condition").loc[[name.title() for name in people.LEVELS]]
    return people.compare(models, known, generator(settings.seed, "grid", "people"))


def main() -> None:
    settings = params.load()
    runs = artifacts.read_csv(artifacts.require(RUNS, "analyse"))
    aligned = artifacts.read_csv(artifacts.require(ALIGNMENT, "analyse"), block=str)
    tests = [one for task in params.TASKS for one in tests_of(task, settings, runs, aligned)]
    some = [one for one in tests if len(one)]
    artifacts.write_csv(TESTS, statistics.adjust(pd.concat(some or tests)))
    has_seeds = ~runs.encoding.str.startswith("floor_")
    artifacts.write_csv(INTERVALS, statistics.intervals(runs[has_seeds]))
    artifacts.write_csv(PEOPLE, beside_people(settings, runs))


if __name__ == "__main__":
    run(main)
