"""Scores of one trained cell of a study, or of the floors of its data: data/scores/<study>/."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from stages.files import artifacts, cells
from stages.files.artifacts import Arrays
from stages.measures.scores import Scores, diverged
from stages.parameters.errors import InputError
from stages.parameters.params import Params
from stages.running.command import run
from stages.studies import measuring
from stages.studies.cells import (
    CURVES,
    Cell,
    cell_folder,
    configuration_of,
    find_cell,
    find_floors,
    read_cells,
    read_data,
    score_path,
    seeds_of,
    settings_for,
    settings_of,
)
from stages.studies.measuring import Row
from stages.tasks.facts import TaskFacts, find_facts
from stages.tasks.scoring.interface import find_scoring

Splits = Iterable[tuple[str, Scores]]


def score_predictions(folder: Path, facts: TaskFacts, data: Arrays) -> Iterator[Row]:
    """Scores of what is stored of a cell, NaN for seeds that diverged; those are counted as `diverged`."""
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
            yield split, metric, np.where(lost, np.nan, values)


def measure(root: Path, study: str, key: str, settings: Params, seeds: list[int]) -> list[Row]:
    """Everything that the study asks of a cell."""
    cell, folder = find_cell(root, study, key), cell_folder(root, study, key)
    data = read_data(root, cell.data, find_facts(cell.task).made_by)
    asked = read_cells(root, study)["measures"]
    facts, configuration = find_facts(cell.task), configuration_of(settings, cell)
    rows = list(score_predictions(folder, facts, data))
    positions = facts.positions(settings, data)
    rows += measuring.measure_alignment(folder, facts, positions)
    if "read_back" in asked and facts.codes:
        rows += measuring.measure_read_back(folder, settings.seed, cell.task)
    if "read_out" in asked:
        rows += measuring.measure_read_out(folder, positions, settings.seed, cell.task)
    if "locality" in asked and facts.ordered:
        rows += measuring.measure_locality(folder)
    if "attention" in asked:
        rows += measuring.measure_attention(folder, facts, settings, configuration, data, seeds)
    if "theory" in asked:
        scores = tabulate(cell, seeds, rows)
        rows += measuring.compare_with_theory(root, settings, configuration, scores)
    return rows


def tabulate(cell: Cell, seeds: list[int], rows: Iterable[Row]) -> pd.DataFrame:
    """Rows of a cell in the columns of `CURVES`, without epochs; NaN is left out."""
    table = [
        (cell.task, cell.cell, cell.at, seed, "", split, metric, value)
        for split, metric, values in rows
        for seed, value in zip(seeds, values.tolist(), strict=True)
        if not np.isnan(value)
    ]
    return pd.DataFrame(table, columns=CURVES)


def read_curves(folder: Path, cell: Cell, seeds: list[int]) -> pd.DataFrame:
    """What was noted during training, and how long it took: `epochs` of the split train, a score."""
    history = artifacts.read_csv(folder / "history.csv")
    history = history.assign(seed=history.seed.map(dict(enumerate(seeds))))
    last = history.groupby("seed").epoch.max().reset_index()
    epochs = last.rename(columns={"epoch": "value"}).assign(epoch="", split="train", metric="epochs")
    return pd.concat([epochs, history]).assign(task=cell.task, cell=cell.cell, at=cell.at)[CURVES]


def score_cell(root: Path, study: str, key: str) -> None:
    """Write a cell's rows; none for one that does not fit its task."""
    cell, folder = find_cell(root, study, key), cells.require_cell(cell_folder(root, study, key))
    if reason := cells.skipped(folder):
        print(f"note: {study} {key}: skipped, {reason}")
        artifacts.write_csv(score_path(root, study, key), pd.DataFrame(columns=CURVES))
        return
    settings = settings_of(root, cell)
    seeds = seeds_of(settings, cell)
    parts = [tabulate(cell, seeds, measure(root, study, key, settings, seeds))]
    if "curves" in read_cells(root, study)["measures"]:
        parts.append(read_curves(folder, cell, seeds))
    artifacts.write_csv(score_path(root, study, key), pd.concat(parts))


def score_floors(root: Path, study: str, key: str) -> None:
    """Write what is predicted without a model, once for each value of the axis that shares the data."""
    floors = find_floors(root, study, key)
    settings = settings_for(root, floors.task, floors.scale, floors.set)
    data = read_data(root, floors.data, find_facts(floors.task).made_by)
    scored = list(find_scoring(floors.task).score_floors(settings, data))
    rows = [
        (floors.task, floor, at, 0, "", split, metric, value)
        for at in floors.at
        for floor, split, scores in scored
        for metric, values in scores.items()
        for value in values.tolist()
    ]
    artifacts.write_csv(score_path(root, study, key), pd.DataFrame(rows, columns=CURVES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--cell", help="a key in studies/<study>/cells.yaml")
    what.add_argument("--floors", help="one of its `floors`")
    chosen = parser.parse_args()
    if chosen.cell:
        score_cell(Path(), chosen.study, chosen.cell)
    else:
        score_floors(Path(), chosen.study, chosen.floors)


if __name__ == "__main__":
    run(main)
