"""Tests that no scores could decide, found by judging scores that are made up for the planned cells."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pandas as pd

from stages.core.encodings.lookup.resolve import adds_tables
from stages.core.settings.errors import InputError
from stages.studies.cells import Baselines, Cell
from stages.studies.checks.idle import Idle
from stages.studies.checks.scored_names import OF_MODEL, list_metrics
from stages.studies.claim import FEWEST_SEEDS, Test
from stages.studies.judging.beside import find_theirs
from stages.studies.judging.correlation import Correlation
from stages.studies.judging.judge import decide, run_test
from stages.studies.judging.results import Difference
from stages.studies.schema import Study, split_cell
from stages.studies.tables import GAIN, SCORES, find_metric, select, split_name
from stages.tasks.facts import find_facts

ENOUGH = 8  # seeds, where only the scale says how many: a larger one has more
DRAWN = "alignment_initial"
OF_HELD_OUT = {"seen", "new"}  # scores of pairs, where some are held out of training
Table = pd.DataFrame | None


def check_decidable(
    study: Study,
    cells: Mapping[str, Cell],
    baselines: Mapping[str, Baselines],
    idle: Mapping[str, Idle],
    published: Table,
) -> None:
    """Raise InputError for the first test that will be neither decided nor open, whatever is scored."""
    scores = pd.DataFrame(make_up(study, cells, baselines, idle), columns=SCORES)
    for place, test in study.list_tests():
        for found in run_test(study, test, scores, published):
            if reason := find_reason(study, test, found, scores, published):
                raise InputError(
                    f"{place}: {test.measured} of {test.a} can never be decided, as {reason}; "
                    "correct the test, or leave it out"
                )


def find_reason(study: Study, test: Test, found: Difference, scores: pd.DataFrame, published: Table) -> str:
    """Say why no scores decide a test at one value of the axis; "" where some could."""
    numbers = found.numbers
    estimate, n = numbers.estimate, numbers.n
    along = test.over == "axis"
    too_few = f"{n} {'values of the axis' if along else 'models'} are too few"
    if estimate is None and not n:
        return find_absent(study, test, found, scores, published)
    if estimate is None:
        never = f"one of both never varies {'along' if along else 'within a value of'} the axis"
        return too_few if n < FEWEST_SEEDS else never
    if isinstance(estimate, Correlation):
        ends = (decide(test, estimate._replace(rank=rank), n, 1) for rank in (-1.0, 1.0))
        return f"{too_few} to tell a correlation from {test.other}" if set(ends) == {"open"} else ""
    if along and n < FEWEST_SEEDS:
        return f"{too_few}, expected {FEWEST_SEEDS} or more"
    gain_alone = test.b is None and find_metric(test.task, test.metric)[1] == GAIN
    return "its tables stay as they are drawn" if gain_alone and numbers.low == numbers.high else ""


def find_absent(study: Study, test: Test, found: Difference, scores: pd.DataFrame, published: Table) -> str:
    """Say which metric no cell of a test will have, or what was published in place of what is asked."""
    for side, at in ((test.a, found.a[1]), (test.b, found.b[1])):
        for metric in test.metrics if side else ():
            cell, _ = split_name(str(side))
            there = select(scores, test.task, metric)
            there = there[(there.cell == cell) & (there["at"].isin([at, ""]) | (not at))]
            if not len(there):
                return f"{cell} will have no {metric}" + f" at {at}" * bool(at)
    cell, _ = split_name(test.a)
    metric = "score" if test.correlate else test.metric
    theirs = find_theirs(published, study, test.task, metric)
    known = ", ".join(theirs[theirs.cell == cell]["at"])
    return f"its {metric} was published at {known or 'no value of this axis'}"


def make_up(
    study: Study, cells: Mapping[str, Cell], baselines: Mapping[str, Baselines], idle: Mapping[str, Idle]
) -> Iterator[tuple[Any, ...]]:
    """Make up rows of the metrics that are tested, under the names that scores will have."""
    tested = {find_metric(test.task, one) for _, test in study.list_tests() for one in test.metrics}
    tested |= {("tables", name) for name in ("alignment", DRAWN)}
    names = sorted(f"{split}/{metric}" for split, metric in tested)
    trained = {label: cell for label, cell in cells.items() if cell.trained}
    for label, cell in trained.items():
        own, _ = split_cell(cell.name, study.cells.get(cell.name, {}))
        usual = own.seeds is None and study.seeds is None
        first, count = cell.seeds[0], max(len(cell.seeds), ENOUGH * usual)
        has_tables = adds_tables(cell.configuration)
        stays = "training.table_learning_rate" in idle[label] or bool(cell.start and cell.start.frozen)
        watched = find_watched(study.attention_of, cell, trained)
        for name, measure in list_metrics(cell.task).items():
            split, metric = name.split("/")
            is_made = name in names and (measure is None or measure in study.measures)
            is_made &= has_tables if split == "tables" else name != OF_MODEL or watched is not None
            is_made &= not (stays and metric == "alignment_added")
            is_made &= is_scored(cell, name)
            for seed in range(first, first + count) if is_made else ():
                # tables that stay are the same wherever the configuration is
                of = (cell.configuration, cell.data) if stays and split == "tables" else cell.at
                drawn = "alignment" if stays and metric == DRAWN else metric
                value = Random(str((cell.task, cell.name, of, seed, split, drawn))).random()
                yield cell.task, cell.name, cell.at, seed, split, metric, value
    for one in baselines.values():
        facts = find_facts(one.task)
        for name in (name for name in facts.scored if name in names and is_scored(one, name)):
            for at, floor in ((at, floor) for at in one.at for floor in facts.floors):
                yield one.task, floor, at, 0, *name.split("/"), Random(str((at, floor, name))).random()


def is_scored(one: Cell | Baselines, name: str) -> bool:
    """Tell whether data have what a score is of: of seen and new pairs alone, some that are held out."""
    held_out = one.settings.sections.get(one.task, {}).get("held_out")
    return bool(held_out) or name.rpartition("/")[2] not in OF_HELD_OUT


def find_watched(name: str | None, cell: Cell, cells: Mapping[str, Cell]) -> str | None:
    """Find the label of the cell of that name with whose attention that of another is compared.

    None where none of the same task, data, seeds, heads and blocks was trained.
    """

    def list_shape(one: Cell) -> tuple[object, ...]:
        sizes = one.settings.model(one.task)
        block = one.configuration.architecture.block
        return one.task, one.data, one.seeds, sizes.heads, sizes.blocks, block

    alike = (
        label
        for label, other in cells.items()
        if other.name == name and list_shape(other) == list_shape(cell) and other.at in ("", cell.at)
    )
    return next(alike, None)
