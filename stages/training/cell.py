"""Cells: all seeds of one configuration, trained at once as one stacked model."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from dask.system import cpu_count
from numpy.typing import NDArray

from stages.files.artifacts import Arrays
from stages.model.transformer import Transformer
from stages.parameters.kinds import Format
from stages.parameters.own_files import list_visible
from stages.parameters.params import Params
from stages.randomness.streams import Replicates
from stages.tasks.interface import Task, load_task
from stages.training import device
from stages.training.checkpoint import Checkpoint, fingerprint
from stages.training.dropout import draw_kept
from stages.training.fit import EpochScore, fit
from stages.training.forward import Forward, compile_forward
from stages.training.memory import replicas_at_once
from stages.training.predict import encoding_tables
from stages.training.progress import Progress

CODE = Path(__file__).parents[1]


@dataclass(frozen=True)
class TrainedCell:
    """A cell's model after training, with what is kept beside its weights."""

    model: Transformer
    task: Task
    history: Sequence[EpochScore]
    initial: NDArray[np.float32] | None  # tables before training, [R, tables, n, d]
    precision: Format | None = None  # of the matrix products; null: never trained


@dataclass(frozen=True)
class Place:
    """Where a training run finds its data, and leaves what an interrupted one goes on from."""

    root: Path
    label: str  # in its progress
    checkpoint: Path
    data: Path | None  # null: the task makes up its own


def set_up_task(settings: Params, task_name: str, data: Arrays) -> tuple[torch.device, Task]:
    """The device, set up for training, and the task with these data there."""
    torch.set_num_threads(settings.compute.threads or cpu_count())
    where = device.choose_device(settings.device)
    return where, load_task(task_name, settings, data, where)


def fit_model(
    settings: Params,
    place: Place,
    task_name: str,
    described: Sequence[object],
    task: Task,
    model: Transformer,
    replicates: Replicates,
) -> TrainedCell:
    """Train an assembled model, resuming a checkpoint of the very same run.

    described: what the model was made from, beside the task's parameters and data.
    """
    training = settings.training(task_name)
    initial = encoding_tables(model)
    batch = next(task.epoch(replicates, 1, training.batch_size))
    where = batch.inputs.device
    forward = Forward(model, device.choose_format(training.precision, where))
    at_once = replicas_at_once(forward, task, batch)
    if training.compile and at_once == len(replicates):
        if model.dropout:  # so that what is compiled is what will run
            model.kept = draw_kept(model, batch.inputs, replicates.generators("dropout", 1, 0))
        forward = compile_forward(forward, batch.inputs, place.root)
    parameters = [settings.sizes(task_name), settings.model(task_name), settings.sections.get(task_name)]
    machine = [device.device_name(where), device.instructions(where)]
    computed = [training, settings.compute, *machine, forward.precision, forward.compiled is None]
    files = [*([place.data] if place.data else []), *list_visible(CODE, "**/*.py")]
    key = fingerprint([*described, replicates, *parameters, *computed], files)
    progress = Progress(place.label, training.epochs, task.n_train * len(replicates))
    checkpoint = Checkpoint(place.checkpoint, key)
    history = fit(forward, task, training, replicates, at_once, checkpoint, progress, progress.go)
    progress.close()
    return TrainedCell(model, task, history, initial, forward.precision)
