"""Train one cell, task x configuration: all its seeds at once, as one stacked model."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages import params
from stages.artifacts import write_arrays, write_csv, write_json, write_weights, written_beside
from stages.command import run
from stages.encodings.interface import DoesNotFit
from stages.model.transformer import Transformer
from stages.numerics.streams import Replicates
from stages.tasks.interface import Task
from stages.training import device
from stages.training.assemble import assemble
from stages.training.checkpoint import Checkpoint, fingerprint
from stages.training.compiled import compiled
from stages.training.fit import Moment, fit
from stages.training.forward import eager
from stages.training.memory import replicas_at_once
from stages.training.predict import predictions, tables
from stages.training.progress import Progress

CODE = Path(__file__).parent


def train(task_name: str, name: str, folder: Path, unfinished: Path) -> None:
    """Train the cell and write its weights, history, predictions and tables, or why it is skipped.

    `unfinished` is where a run that is interrupted leaves its checkpoint, to go on from there.
    """
    settings = params.load()
    sizes = getattr(settings.sizes, task_name)
    where = device.choose(settings.device, settings.compute.precision)
    module = import_module(f"stages.tasks.{task_name}")
    task: Task = module.load(settings, where)
    configuration = settings.configuration(task_name, name)
    replicates = Replicates(settings.seed, task_name, range(sizes.training.seeds))
    try:
        model = assemble(task, configuration, sizes.model, replicates).to(where)
    except DoesNotFit as reason:
        print(f"{task_name} {name}: skipped, {reason}")
        write_json(folder / "skipped.json", {"reason": str(reason)})
        return
    initial = tables(model)
    forward = eager(model, settings.compute.precision)
    batch = next(task.epoch(replicates, 1, sizes.training.batch_size))
    at_once = replicas_at_once(forward, task, batch)
    if sizes.training.compile and at_once == len(replicates):
        forward = compiled(forward, batch.inputs)
    described = [replicates, configuration, sizes, getattr(settings, task_name, None), settings.compute]
    described += [device.kind(where), forward.whole is model]
    read = [module.DATA] if module.DATA else []
    checkpoint = Checkpoint(unfinished, fingerprint(described, [*read, *CODE.rglob("*.py")]))
    progress = Progress(f"{task_name} {name}", sizes.training.epochs, task.n_train * len(replicates))
    history = fit(forward, task, sizes.training, replicates, at_once, checkpoint, progress)
    write_cell(folder, model, task, history, initial)


def write_cell(
    folder: Path,
    model: Transformer,
    task: Task,
    history: Sequence[Moment],
    initial: NDArray[np.float32] | None,
) -> None:
    """Everything that is kept of a trained cell; `initial` are its tables before training, if any."""
    weights = {key: value.contiguous().cpu().numpy() for key, value in model.state_dict().items()}
    write_weights(folder / "weights.safetensors", weights)
    write_csv(folder / "history.csv", long_table(history))
    stored = {f"{split}_{task.stored_as}": predictions(model, task, split) for split in task.splits}
    write_arrays(folder / "predictions.npz", stored | {"train_rows": task.train_rows})
    final = tables(model)
    if initial is not None and final is not None:
        write_arrays(folder / "tables.npz", {"initial": initial, "final": final})


def long_table(history: Sequence[Moment]) -> pd.DataFrame:
    """One row per seed and number measured."""
    rows = [(k, m.epoch, m.split, m.metric, value) for m in history for k, value in enumerate(m.values)]
    return pd.DataFrame(rows, columns=["seed", "epoch", "split", "metric", "value"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=params.TASKS)
    parser.add_argument("--configuration", required=True, help="a name in sweep, or focus for pe")
    cell = parser.parse_args()
    folder = Path("data/models") / cell.task / cell.configuration
    unfinished = folder.with_name(f".{folder.name}.checkpoint.part")
    with written_beside(folder) as beside:
        train(cell.task, cell.configuration, beside, unfinished)
    unfinished.unlink(missing_ok=True)


if __name__ == "__main__":
    run(main)
