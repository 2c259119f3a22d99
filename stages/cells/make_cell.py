"""Make a cell: train all seeds of a configuration at once as one stacked model, and write what is kept."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from joblib import cpu_count
from numpy.typing import NDArray

from stages.core.encodings.interface import DoesNotFit
from stages.core.model.transformer import Transformer
from stages.core.randomness.streams import Replicates
from stages.core.settings.errors import InputError
from stages.files import cells
from stages.files.artifacts import Arrays, write_arrays, write_csv, write_json, write_weights
from stages.studies.cells import Cell
from stages.tasks.facts import find_facts
from stages.tasks.interface import Task, load_task
from stages.training import device
from stages.training.assemble import assemble, check_mask
from stages.training.checkpoint import Checkpoint
from stages.training.draws import draw_step, forget_draws
from stages.training.fit import EpochScore, fit
from stages.training.forward import Forward, compile_forward
from stages.training.memory import replicas_at_once
from stages.training.predict import encoding_tables, predictions
from stages.training.progress import Progress
from stages.training.restore import restore_cell
from stages.training.start import Given, Tables, exchange_rows, give_tables, scale_to


@dataclass(frozen=True)
class Place:
    """Name the files that a cell starts from, and those from which an interrupted training goes on."""

    donors: Path  # the folder of the study's cells
    checkpoint: Path
    progress: Path
    kernels: Path  # of torch.compile, shared by cells
    key: str  # digest of all that decides the cell's numbers


@dataclass(frozen=True)
class TrainedCell:
    """A cell's model after training, with what is kept beside its weights."""

    model: Transformer
    task: Task
    history: Sequence[EpochScore]
    initial: NDArray[np.float32] | None  # tables before training, [R, tables, n, d]
    machine: Mapping[str, str] = field(default_factory=dict)  # what decided rounding; empty: never trained


def make_cell(cell: Cell, data: Arrays, place: Place, folder: Path) -> Mapping[str, str]:
    """Train a cell and write all that is kept of it into a folder; return what it was trained on.

    One that does not fit its task leaves the reason there.
    """
    try:
        trained = train_cell(cell, data, place)
    except DoesNotFit as reason:
        write_json(folder / cells.SKIPPED, {"reason": str(reason)})
        return {}
    write_cell(folder, trained)
    return trained.machine


def train_cell(cell: Cell, data: Arrays, place: Place) -> TrainedCell:
    """Train a cell, or set it up if its study says that it is not trained. Raises DoesNotFit."""
    settings, configuration = cell.settings, cell.configuration
    check_mask(find_facts(cell.task), settings, configuration)
    replicates = Replicates(settings.seed, cell.task, cell.seeds)
    torch.set_num_threads(settings.compute.threads or cpu_count())
    where = device.choose_device(settings.device)
    task = load_task(cell.task, settings, data, where)
    model = start_model(cell, task, replicates, place.donors).to(where)
    if not cell.trained:
        return TrainedCell(model, task, [], encoding_tables(model))
    return fit_model(cell, task, model, replicates, place)


def start_model(cell: Cell, task: Task, replicates: Replicates, donors: Path) -> Transformer:
    """Make the model that training starts from: drawn at random, or with what other cells give it."""
    sizes = cell.settings.model(cell.task)
    if cell.start is None:
        return assemble(task, cell.configuration, sizes, replicates)
    if cell.start.weights is None:
        model = assemble(task, cell.configuration, sizes, replicates)
    else:
        model = restore_cell(donors / cell.start.weights, task, cell.configuration, sizes, replicates)
        model.requires_grad_(True)
    give_tables(model, read_given(donors, cell, replicates), cell.start.tables)
    return model


def read_given(donors: Path, cell: Cell, replicates: Replicates) -> Given:
    """Read the tables that a cell starts from; InputError where the cell that made them has none."""
    start = cell.start
    assert start is not None

    def tables_of(key: str, state: cells.State) -> Tables:
        found = cells.read_tables(cells.require_cell(donors / key), state)
        if found is None:
            raise InputError(f"start.tables: {key} adds no tables; name a cell whose scheme does")
        return found

    tables = tables_of(start.tables, start.state)
    if start.exchanged:
        tables = exchange_rows(tables, replicates)
    if start.sized_as is not None:
        tables = scale_to(tables, tables_of(start.sized_as, "final"))
    return Given(tables, start.frozen)


def fit_model(
    cell: Cell, task: Task, model: Transformer, replicates: Replicates, place: Place
) -> TrainedCell:
    """Train an assembled model, from the checkpoint of the very same run if there is one."""
    training = cell.settings.training(cell.task)
    check_batches(training.batch_size, task)
    initial = encoding_tables(model)
    batch = next(task.epoch(replicates, 1, training.batch_size))
    where = batch.inputs.device
    forward = Forward(model, device.choose_format(training.precision, where))
    at_once = replicas_at_once(forward, task, batch)
    if training.compile and at_once == len(replicates):
        draw_step(model, batch.inputs, replicates, 1, 0)  # so that what is compiled is what will run
        forward = compile_forward(forward, batch.inputs, batch.asked, place.kernels)
        forget_draws(model)
    machine = {
        "device": device.device_name(where),
        "instructions": device.instructions(where),
        "precision": forward.precision,
    }
    how = [*machine.values(), torch.__version__, torch.get_num_threads(), forward.compiled is None]
    run = sha256(repr([place.key, digest(model.state_dict()), *how]).encode()).hexdigest()
    progress = Progress(place.progress, training.epochs)
    checkpoint = Checkpoint(place.checkpoint, run)
    history = fit(forward, task, training, replicates, at_once, checkpoint, progress.note_step)
    return TrainedCell(model, task, history, initial, machine)


def check_batches(batch_size: int, task: Task) -> None:
    """Raise InputError for a batch larger than an epoch, which any other such size would equal."""
    if batch_size > task.n_train:
        raise InputError(
            f"training.batch_size: {batch_size} given, but an epoch has {task.n_train} examples; expected at "
            "most so many"
        )


def digest(state: dict[str, torch.Tensor]) -> str:
    """Digest all initial values of a model."""
    parts = [np.asarray(value.cpu()).tobytes() for value in state.values()]
    return sha256(b"".join(parts)).hexdigest()


def write_cell(folder: Path, cell: TrainedCell) -> None:
    """Write all that is kept of a trained cell: weights, history, predictions, and tables, if any."""
    weights = {key: value.contiguous().cpu().numpy() for key, value in cell.model.state_dict().items()}
    write_weights(folder / "weights.safetensors", weights)
    write_csv(folder / "history.csv", make_history(cell.history))
    stored = {
        f"{split}_{cell.task.stored_as}": predictions(cell.model, cell.task, split)
        for split in cell.task.splits
    }
    write_arrays(folder / "predictions.npz", stored | {"train_rows": cell.task.train_rows})
    final = encoding_tables(cell.model)
    if cell.initial is not None and final is not None:
        write_arrays(folder / cells.TABLES, {"initial": cell.initial, "final": final})


def make_history(scores: Iterable[EpochScore]) -> pd.DataFrame:
    """Make a row of each seed and number measured."""
    rows = [(k, m.epoch, m.split, m.metric, value) for m in scores for k, value in enumerate(m.values)]
    return pd.DataFrame(rows, columns=["seed", "epoch", "split", "metric", "value"])
