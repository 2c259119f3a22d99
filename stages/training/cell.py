"""One cell, task x configuration: all its seeds trained at once, as one stacked model."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from stages.files.cells import MODELS
from stages.model.transformer import Transformer
from stages.parameters.params import Params
from stages.randomness.streams import Replicates
from stages.tasks.facts import DATA, find_facts
from stages.tasks.interface import Task, load_task
from stages.training import device
from stages.training.assemble import assemble
from stages.training.checkpoint import Checkpoint, fingerprint
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


def train_cell(settings: Params, root: Path, task_name: str, name: str) -> TrainedCell:
    """Train one configuration, resuming an interrupted run. Raises DoesNotFit."""
    where, task, replicates = set_up(settings, root, task_name)
    configuration = settings.configuration(task_name, name)
    model = assemble(task, configuration, settings.model(task_name), replicates).to(where)
    return fit_model(settings, root, task_name, name, [configuration], task, model, replicates)


def set_up(settings: Params, root: Path, task_name: str) -> tuple[torch.device, Task, Replicates]:
    """The device, set up for training; the task with its data there; the seeds to be trained."""
    torch.set_num_threads(settings.compute.threads or len(os.sched_getaffinity(0)))
    where = device.choose_device(settings.device, settings.compute.precision)
    data = find_facts(task_name).read_data(root)
    task = load_task(task_name, settings, data, where)
    return where, task, Replicates(settings.seed, task_name, range(settings.training(task_name).seeds))


def fit_model(
    settings: Params,
    root: Path,
    task_name: str,
    name: str,
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
    forward = Forward(model, settings.compute.precision)
    batch = next(task.epoch(replicates, 1, training.batch_size))
    at_once = replicas_at_once(forward, task, batch)
    if training.compile and at_once == len(replicates):
        forward = compile_forward(forward, batch.inputs)
    parameters = [settings.sizes(task_name), settings.model(task_name), settings.sections.get(task_name)]
    computed = [training, settings.compute, device.device_name(batch.inputs.device), forward.compiled is None]
    data = [folder] if (folder := root / DATA / task_name).exists() else []
    key = fingerprint([*described, replicates, *parameters, *computed], [*data, *CODE.rglob("*.py")])
    progress = Progress(f"{task_name} {name}", training.epochs, task.n_train * len(replicates))
    checkpoint = Checkpoint(checkpoint_path(root, task_name, name), key)
    history = fit(forward, task, training, replicates, at_once, checkpoint, progress)
    return TrainedCell(model, task, history, initial)


def checkpoint_path(root: Path, task_name: str, name: str) -> Path:
    """Where a cell's training leaves its checkpoint, beside its folder."""
    return root / MODELS / task_name / f".{name}.checkpoint.part"
