"""Score a trained cell, or the baselines of its data, and measure what its study asks for."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from stages.core.settings.errors import InputError
from stages.files import artifacts, cells
from stages.files.artifacts import Arrays
from stages.studies.cells import Baselines, Cell, read_data
from stages.studies.scoring import measuring
from stages.studies.scoring.at_lengths import measure_lengths
from stages.studies.scoring.measuring import Row
from stages.tasks.facts import TaskFacts, find_facts
from stages.tasks.running_text.facts import LONGEST
from stages.tasks.scoring.interface import find_scoring
from stages.tasks.scoring.scores import Scores, diverged

CURVES = ["task", "cell", "at", "seed", "epoch", "split", "metric", "value"]  # epoch: none for scores

Splits = Iterable[tuple[str, Scores]]
Watched = tuple[Path, Cell]  # a trained cell and its folder


def score_predictions(folder: Path, facts: TaskFacts, data: Arrays) -> Iterator[Row]:
    """Score what is stored of a cell, NaN for seeds that diverged; those are counted as `diverged`."""
    stored = artifacts.read_arrays(folder / "predictions.npz")
    try:
        results: Splits = list(find_scoring(facts.name).score_splits(stored, data))
    except InputError as error:
        raise InputError(f"{folder}: {error}; {cells.train_again(folder)}") from None
    lost = diverged(stored)
    if lost.any():
        seeds = ", ".join(map(str, lost.nonzero()[0]))
        print(
            f"note: {folder.name}: seeds {seeds} diverged, left out of all scores: predictions are not finite"
        )
        yield "train", "diverged", lost.astype(np.float64)
    for split, scores in results:
        for metric, values in scores.items():
            yield split, metric, np.where(lost, np.nan, read_seeds(split, metric, values, len(lost)))


def measure(
    root: Path, folder: Path, cell: Cell, asked: Collection[str], beside: Watched | None
) -> list[Row]:
    """Measure everything that the study asks of a cell."""
    facts, settings, configuration = find_facts(cell.task), cell.settings, cell.configuration
    data = read_data(root, cell.data)
    rows = list(score_predictions(folder, facts, data))
    positions = facts.positions(settings, data)
    rows += measuring.measure_alignment(folder, facts, positions)
    if "procrustes" in asked:
        rows += measuring.measure_mirroring(folder, positions)
    if "read_back" in asked and facts.codes:
        rows += measuring.measure_read_back(folder, settings.seed, cell.task)
    if "read_out" in asked:
        rows += measuring.measure_read_out(folder, positions, settings.seed, cell.task)
    if "locality" in asked and facts.ordered:
        rows += measuring.measure_locality(folder)
    if "attention" in asked:
        blocks = measuring.record_attention(folder, cell, data)
        others = beside and measuring.record_attention(*beside, data)
        rows += measuring.measure_attention(blocks, positions, others)
    if "lengths" in asked and LONGEST in data:
        rows += measure_lengths(folder, cell, data)
    if "theory" in asked:
        scores = tabulate(cell, rows)
        rows += measuring.compare_with_theory(root, settings, configuration, scores)
    return rows


def read_seeds(split: str, metric: str, values: ArrayLike, seeds: int) -> list[float]:
    """Return what a metric gives for each seed. Raises InputError for anything else."""
    try:
        given = np.asarray(values)
    except ValueError:  # lists of several lengths
        given = np.asarray(values, dtype=object)
    if given.shape != (seeds,) or given.dtype.kind not in "biuf":
        raise InputError(
            f"{split}/{metric}: {given.dtype} of shape {given.shape} given, expected real numbers of shape "
            f"({seeds},), one for each seed; take their mean over other axes, and NaN where a seed has none"
        )
    numbers: list[float] = given.astype(np.float64).tolist()
    return numbers


def tabulate(cell: Cell, rows: Iterable[Row]) -> pd.DataFrame:
    """Make rows of a cell in the columns of `CURVES`, without epochs; NaN is left out."""
    table = [
        (cell.task, cell.name, cell.at, seed, "", split, metric, value)
        for split, metric, values in rows
        for seed, value in zip(cell.seeds, read_seeds(split, metric, values, len(cell.seeds)), strict=True)
        if not np.isnan(value)
    ]
    return pd.DataFrame(table, columns=CURVES)


def read_curves(folder: Path, cell: Cell) -> pd.DataFrame:
    """Read what was noted during training, and how long it took: `epochs` of the split train, a score."""
    history = artifacts.read_csv(folder / "history.csv")
    history = history.assign(seed=history.seed.map(dict(enumerate(cell.seeds))))
    last = history.groupby("seed").epoch.max().reset_index()
    epochs = last.rename(columns={"epoch": "value"}).assign(epoch="", split="train", metric="epochs")
    return pd.concat([epochs, history]).assign(task=cell.task, cell=cell.name, at=cell.at)[CURVES]


def score_cell(
    root: Path, folder: Path, cell: Cell, asked: Collection[str], beside: Watched | None = None
) -> pd.DataFrame:
    """Score a cell; no rows for one that does not fit its task.

    beside: the cell with whose attention its own is compared.
    """
    if reason := cells.skipped(folder):
        print(f"note: {cell.label}: skipped, {reason}")
        return pd.DataFrame(columns=CURVES)
    parts = [tabulate(cell, measure(root, folder, cell, asked, beside))]
    if "curves" in asked:
        parts.append(read_curves(folder, cell))
    return pd.concat(parts)


def score_baselines(root: Path, baselines: Baselines) -> pd.DataFrame:
    """Score what is predicted without a model, once for each value of the axis that shares the data."""
    data = read_data(root, baselines.data)
    scored = list(find_scoring(baselines.task).score_floors(baselines.settings, data))
    rows = [
        (baselines.task, floor, at, 0, "", split, metric, value)
        for at in baselines.at
        for floor, split, scores in scored
        for metric, values in scores.items()
        for value in values.tolist()
    ]
    return pd.DataFrame(rows, columns=CURVES)
