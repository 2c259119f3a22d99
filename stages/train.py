"""Train a cell of a study: all its seeds at once, as one stacked model."""

import argparse
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from stages.encodings.interface import DoesNotFit
from stages.files import cells
from stages.files.artifacts import write_arrays, write_atomically, write_csv, write_json, write_weights
from stages.parameters.errors import InputError
from stages.randomness.streams import Replicates
from stages.running.command import run
from stages.studies.cells import (
    Start,
    cell_folder,
    configuration_of,
    find_cell,
    read_data,
    seeds_of,
    settings_of,
)
from stages.tasks.facts import find_facts
from stages.training.assemble import assemble, check_mask
from stages.training.cell import Place, TrainedCell, fit_model, set_up_task
from stages.training.fit import EpochScore
from stages.training.predict import encoding_tables, predictions
from stages.training.restore import restore_cell
from stages.training.start import Given, Tables, exchange_rows, give_tables, scale_to


def write_cell(folder: Path, cell: TrainedCell) -> None:
    """Write all that is kept of a trained cell: weights, history, predictions, and tables, if any."""
    weights = {key: value.contiguous().cpu().numpy() for key, value in cell.model.state_dict().items()}
    write_weights(folder / "weights.safetensors", weights)
    write_csv(folder / "history.csv", long_table(cell.history))
    if cell.precision is not None:
        write_json(folder / cells.MADE_BY, {"precision": cell.precision})
    stored = {
        f"{split}_{cell.task.stored_as}": predictions(cell.model, cell.task, split)
        for split in cell.task.splits
    }
    write_arrays(folder / "predictions.npz", stored | {"train_rows": cell.task.train_rows})
    final = encoding_tables(cell.model)
    if cell.initial is not None and final is not None:
        write_arrays(folder / cells.TABLES, {"initial": cell.initial, "final": final})


def long_table(history: Sequence[EpochScore]) -> pd.DataFrame:
    """One row per seed and number measured."""
    rows = [(k, m.epoch, m.split, m.metric, value) for m in history for k, value in enumerate(m.values)]
    return pd.DataFrame(rows, columns=["seed", "epoch", "split", "metric", "value"])


def read_given(folder: Path, start: Start, replicates: Replicates) -> Given:
    """The tables that a cell starts from; InputError where the cell that made them has none."""

    def tables_of(key: str, state: Literal["initial", "final"]) -> Tables:
        found = cells.read_tables(
            cells.require_cell(folder / key), "initial" if state == "initial" else "final"
        )
        if found is None:
            raise InputError(f"start.tables: {key} adds no tables; name a cell whose scheme does")
        return found

    tables = tables_of(start.tables, start.state)
    if start.exchanged:
        tables = exchange_rows(tables, replicates)
    if start.sized_as is not None:
        tables = scale_to(tables, tables_of(start.sized_as, "final"))
    return Given(tables, start.frozen)


def train_cell(root: Path, study: str, key: str) -> TrainedCell:
    """Train a cell, or set it up if its study says that it is not trained. Raises DoesNotFit."""
    cell = find_cell(root, study, key)
    settings, facts = settings_of(root, cell), find_facts(cell.task)
    configuration = configuration_of(settings, cell)
    check_mask(facts, settings, configuration)
    replicates = Replicates(settings.seed, cell.task, seeds_of(settings, cell))
    where, task = set_up_task(settings, cell.task, read_data(root, cell.data, facts.made_by))
    sizes = settings.model(cell.task)
    described: list[object] = [configuration]
    model = assemble(task, configuration, sizes, replicates)
    if cell.start is not None:
        folder = cell_folder(root, study, key).parent
        if cell.start.weights is not None:
            model = restore_cell(folder / cell.start.weights, task, configuration, sizes, replicates)
            model.requires_grad_(True)
        given = read_given(folder, cell.start, replicates)
        give_tables(model, given, cell.start.tables)
        described += [cell.start, digest(model.state_dict())]
    model = model.to(where)
    if not cell.trained:
        return TrainedCell(model, task, [], encoding_tables(model))
    place = Place(
        root=root,
        label=f"{study} {key}",
        checkpoint=checkpoint_path(root, study, key),
        data=None if cell.data is None else root / cell.data,
    )
    return fit_model(settings, place, cell.task, described, task, model, replicates)


def digest(state: dict[str, "object"]) -> str:
    """Of all initial values of a model."""
    parts = [np.asarray(value).tobytes() for value in state.values()]
    return sha256(b"".join(parts)).hexdigest()


def checkpoint_path(root: Path, study: str, key: str) -> Path:
    """Where the training of a cell leaves its checkpoint, beside its folder."""
    return cell_folder(root, study, f".{key}.checkpoint.part")


def train(root: Path, study: str, key: str) -> None:
    """Train a cell; one that does not fit its task leaves the reason in its folder."""
    folder = cell_folder(root, study, key)
    try:
        trained = train_cell(root, study, key)
        with write_atomically(folder) as beside:
            write_cell(beside, trained)
    except DoesNotFit as reason:
        print(f"note: {study} {folder.name}: skipped, {reason}")
        with write_atomically(folder) as beside:
            write_json(beside / cells.SKIPPED, {"reason": str(reason)})
    checkpoint_path(root, study, key).unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    parser.add_argument("--cell", required=True, help="a key in studies/<study>/cells.yaml")
    chosen = parser.parse_args()
    train(Path(), chosen.study, chosen.cell)


if __name__ == "__main__":
    run(main)
