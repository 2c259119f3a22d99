"""The training of one cell, from parameters to a trained stack of replicas."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from stages.model.transformer import Transformer
from stages.parameters.params import Params
from stages.randomness.streams import Replicates
from stages.tasks.interface import Task
from stages.training import device
from stages.training.assemble import assemble
from stages.training.checkpoint import Checkpoint, fingerprint
from stages.training.compilation import compile_forward
from stages.training.fit import EpochScore, fit
from stages.training.forward import eager
from stages.training.memory import replicas_at_once
from stages.training.predict import encoding_tables
from stages.training.progress import Progress

CODE = Path(__file__).parents[1]
MODELS = Path("data/models")


@dataclass(frozen=True)
class Trained:
    """A cell's model after training, with what is kept beside its weights."""

    model: Transformer
    task: Task
    history: Sequence[EpochScore]
    initial: NDArray[np.float32] | None  # tables before training, [R, tables, n, d]


def trained(settings: Params, task_name: str, name: str) -> Trained:
    """Train a configuration, on from where an interrupted run of it stopped; DoesNotFit if it cannot be."""
    where, task, replicates = on_device(settings, task_name)
    configuration = settings.configuration(task_name, name)
    model = assemble(task, configuration, getattr(settings.sizes, task_name).model, replicates).to(where)
    return fitted(settings, task_name, name, [configuration], task, model, replicates)


def on_device(settings: Params, task_name: str) -> tuple[torch.device, Task, Replicates]:
    """Where training runs, set up for it, with the task's data there and the seeds to be trained."""
    if settings.compute.threads is not None:
        torch.set_num_threads(settings.compute.threads)
    where = device.choose_device(settings.device, settings.compute.precision)
    task: Task = import_module(f"stages.tasks.{task_name}").load(settings, where)
    seeds = getattr(settings.sizes, task_name).training.seeds
    return where, task, Replicates(settings.seed, task_name, range(seeds))


def fitted(
    settings: Params,
    task_name: str,
    name: str,
    described: Sequence[object],
    task: Task,
    model: Transformer,
    replicates: Replicates,
) -> Trained:
    """Train an assembled model; a checkpoint of the very same run, made as `described`, is gone on from."""
    sizes = getattr(settings.sizes, task_name)
    initial = encoding_tables(model)
    forward = eager(model, settings.compute.precision)
    batch = next(task.epoch(replicates, 1, sizes.training.batch_size))
    at_once = replicas_at_once(forward, task, batch)
    if sizes.training.compile and at_once == len(replicates):
        forward = compile_forward(forward, batch.inputs)
    described = [*described, replicates, sizes, getattr(settings, task_name, None), settings.compute]
    described += [device.device_name(batch.inputs.device), forward.whole is model]
    data: Path | None = import_module(f"stages.tasks.{task_name}").DATA
    key = fingerprint(described, [*([data] if data else []), *CODE.rglob("*.py")])
    progress = Progress(f"{task_name} {name}", sizes.training.epochs, task.n_train * len(replicates))
    checkpoint = Checkpoint(unfinished(task_name, name), key)
    history = fit(forward, task, sizes.training, replicates, at_once, checkpoint, progress)
    return Trained(model, task, history, initial)


def unfinished(task_name: str, name: str) -> Path:
    """Where a cell's training leaves its checkpoint, beside its folder."""
    return MODELS / task_name / f".{name}.checkpoint.part"
