"""Train a cell of a study: all its seeds at once, as one stacked model; or several cells as one."""

import argparse
from collections.abc import Iterator, Sequence
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
    Cell,
    Start,
    cell_folder,
    configuration_of,
    find_cell,
    read_data,
    seeds_of,
    settings_of,
)
from stages.tasks.facts import find_facts
from stages.training.assemble import assemble
from stages.training.cell import Place, TrainedCell, fit_model, fit_stack, set_up_task
from stages.training.fit import EpochScore
from stages.training.predict import encoding_tables, predictions
from stages.training.restore import restore_cell
from stages.training.start import Given, Tables, exchange_rows, give_tables, scale_to


def write_cell(folder: Path, cell: TrainedCell) -> None:
    """Everything that is kept of a trained cell: weights, history, predictions and tables, if any."""
    weights = {key: value.contiguous().cpu().numpy() for key, value in cell.model.state_dict().items()}
    write_weights(folder / "weights.safetensors", weights)
    write_csv(folder / "history.csv", long_table(cell.history))
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


def train_cells(root: Path, study: str, keys: Sequence[str], chosen: Sequence[Cell]) -> Iterator[TrainedCell]:
    """Train the cells, several as one stack. Raises DoesNotFit."""
    first = chosen[0]
    settings, facts = settings_of(root, first), find_facts(first.task)
    if any(
        (each.task, each.data, each.set, each.start) != (first.task, first.data, first.set, first.start)
        for each in chosen
    ):
        raise InputError(f"{', '.join(keys)}: they differ in more than init_std; train them one by one")
    configurations = [configuration_of(settings, each) for each in chosen]
    replicates = Replicates(settings.seed, first.task, seeds_of(settings, first))
    where, task = set_up_task(settings, first.task, read_data(root, first.data, facts.made_by))
    place = Place(
        root=root,
        label=f"{study} {' '.join(keys)}",
        checkpoint=checkpoint_path(root, study, keys),
        data=None if first.data is None else root / first.data,
    )
    if len(chosen) > 1:
        yield from fit_stack(settings, place, first.task, configurations, task, where, replicates)
        return
    sizes = settings.model(first.task)
    described: list[object] = [*configurations]
    model = assemble(task, configurations[0], sizes, replicates)
    if first.start is not None:
        folder = cell_folder(root, study, keys[0]).parent
        if first.start.weights is not None:
            model = restore_cell(folder / first.start.weights, task, configurations[0], sizes, replicates)
            model.requires_grad_(True)
        given = read_given(folder, first.start, replicates)
        give_tables(model, given, first.start.tables)
        described += [first.start, digest(model.state_dict())]
    model = model.to(where)
    if not first.trained:
        yield TrainedCell(model, task, [], encoding_tables(model))
        return
    yield fit_model(settings, place, first.task, described, task, model, replicates)


def digest(state: dict[str, "object"]) -> str:
    """Of all initial values of a model."""
    parts = [np.asarray(value).tobytes() for value in state.values()]
    return sha256(b"".join(parts)).hexdigest()


def checkpoint_path(root: Path, study: str, keys: Sequence[str]) -> Path:
    """Where the training of cells leaves its checkpoint, beside their folders."""
    others = sha256(" ".join(keys[1:]).encode()).hexdigest()[:8] if len(keys) > 1 else ""
    name = f"{keys[0]}_and_{others}" if others else keys[0]
    return cell_folder(root, study, f".{name}.checkpoint.part")


def train(root: Path, study: str, keys: list[str]) -> None:
    """Train cells; one that does not fit the task leaves the reason in its folder."""
    chosen = [find_cell(root, study, key) for key in keys]
    folders = [cell_folder(root, study, key) for key in keys]
    try:
        for folder, cell in zip(folders, train_cells(root, study, keys, chosen), strict=True):
            with write_atomically(folder) as beside:
                write_cell(beside, cell)
    except DoesNotFit as reason:
        for folder in folders:
            print(f"{study} {folder.name}: skipped, {reason}")
            with write_atomically(folder) as beside:
                write_json(beside / cells.SKIPPED, {"reason": str(reason)})
    checkpoint_path(root, study, keys).unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    parser.add_argument(
        "--cell",
        required=True,
        nargs="+",
        help="a key in studies/<study>/cells.yaml; several that differ in init_std alone train as one stack",
    )
    chosen = parser.parse_args()
    train(Path(), chosen.study, chosen.cell)


if __name__ == "__main__":
    run(main)
