"""Differences between configurations, tested; the interval of every score's mean; models beside people."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.measures import people, statistics
from stages.parameters import params
from stages.parameters.params import Params
from stages.parameters.sigmas import learned_sigmas
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import find_facts
from stages.tasks.grid.facts import PUBLISHED_ORDER, Settings

RUNS = Path("reports/tables/runs.csv")
ALIGNMENT = Path("reports/tables/alignment.csv")
TESTS = Path("reports/tables/tests.csv")
INTERVALS = Path("reports/tables/intervals.csv")
HUMAN = Path("data/reference/lst_human_accuracy.csv")
PEOPLE = Path("reports/tables/people.csv")

REFERENCE_SIGMA = 0.2  # that other sigmas are compared with: the best published one


def pair_with_reference(sigmas: dict[str, float]) -> list[tuple[str, str]]:
    """Pairs of each learned configuration with the one of the reference sigma; none where that is absent."""
    reference = [name for name, sigma in sigmas.items() if sigma == REFERENCE_SIGMA]
    return [(name, reference[-1]) for name in sigmas if reference and name not in reference]


def test_task(
    task: str, settings: Params, runs: pd.DataFrame, aligned: pd.DataFrame
) -> Iterator[pd.DataFrame]:
    """All tests of a task. Families: what differs (`sigma`, `scheme`), then in what.

    runs, aligned: rows of runs.csv and alignment.csv. Alignment is Spearman's, blocks side by side.
    """
    sigmas = learned_sigmas(settings, task)
    others = [name for name in settings.configurations(task) if name not in sigmas]
    pairs = pair_with_reference(sigmas)
    score = find_facts(task).score
    scores = score.rows(runs, task)
    yield statistics.compare(scores, pairs, score.metric, "sigma: generalisation")
    yield statistics.compare(scores, list(product(sigmas, others)), score.metric, "scheme: generalisation")
    whole = aligned[(aligned.task == task) & (aligned.block == "all") & (aligned.measure == "spearman")]
    for reference, rows in whole.groupby("reference", sort=False):
        metric = f"alignment_{reference}"
        yield statistics.compare(rows.assign(metric=metric), pairs, metric, "sigma: alignment")


def compare_with_people(settings: Params, root: Path, runs: pd.DataFrame) -> pd.DataFrame:
    """Whether errors on validation puzzles grow with complexity as people's do; no rows for other squares."""
    levels = [f"accuracy_{name}" for name in people.LEVELS]
    scores = runs[(runs.task == "grid") & (runs.split == "validation") & runs.metric.isin(levels)]
    wide = scores.pivot(index=["encoding", "seed"], columns="metric", values="value").dropna()
    models = {}
    order = settings.section("grid", Settings).order
    if order == PUBLISHED_ORDER and set(levels) <= set(wide.columns):
        models = {str(name): rows[levels].to_numpy() for name, rows in wide.groupby("encoding", sort=False)}
    human = artifacts.read_csv(root / HUMAN).set_index("condition")
    conditions = human.loc[[name.title() for name in people.LEVELS]]
    return people.compare(models, conditions, generator(settings.seed, "grid", "people"))


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    runs = artifacts.read_csv(artifacts.require(root / RUNS, "stages.align_tables"))
    aligned = artifacts.read_csv(artifacts.require(root / ALIGNMENT, "stages.align_tables"), block=str)
    tests = [table for task in settings.tasks for table in test_task(task, settings, runs, aligned)]
    filled = [table for table in tests if len(table)]
    artifacts.write_csv(root / TESTS, statistics.adjust(pd.concat(filled or tests)))
    has_seeds = ~runs.encoding.str.startswith("floor_")
    artifacts.write_csv(root / INTERVALS, statistics.intervals(runs[has_seeds]))
    artifacts.write_csv(root / PEOPLE, compare_with_people(settings, root, runs))


if __name__ == "__main__":
    run(main)
