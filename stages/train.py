"""Train a cell, task x configuration: all its seeds at once, as one stacked model; or several as one."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from stages.encodings.interface import DoesNotFit
from stages.files.artifacts import write_arrays, write_atomically, write_csv, write_json, write_weights
from stages.files.cells import MODELS, SKIPPED
from stages.parameters import params
from stages.running.command import run
from stages.training.cell import TrainedCell, checkpoint_path, train_cells
from stages.training.fit import EpochScore
from stages.training.predict import encoding_tables, predictions


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
        write_arrays(folder / "tables.npz", {"initial": cell.initial, "final": final})


def long_table(history: Sequence[EpochScore]) -> pd.DataFrame:
    """One row per seed and number measured."""
    rows = [(k, m.epoch, m.split, m.metric, value) for m in history for k, value in enumerate(m.values)]
    return pd.DataFrame(rows, columns=["seed", "epoch", "split", "metric", "value"])


def train(root: Path, task: str, configurations: list[str]) -> None:
    """Train cells, several as one stack; one that does not fit the task leaves the reason in its folder."""
    settings = params.load(root / params.FILE)
    folders = [root / MODELS / task / name for name in configurations]
    try:
        cells = train_cells(settings, root, task, configurations)
        for folder, cell in zip(folders, cells, strict=True):
            with write_atomically(folder) as beside:
                write_cell(beside, cell)
    except DoesNotFit as reason:
        for folder in folders:
            print(f"{task} {folder.name}: skipped, {reason}")
            with write_atomically(folder) as beside:
                write_json(beside / SKIPPED, {"reason": str(reason)})
    checkpoint_path(root, task, configurations).unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=params.task_names())
    parser.add_argument(
        "--configuration",
        required=True,
        nargs="+",
        help="a name in sweep, or focus for pe; several that differ in init_std alone train as one stack",
    )
    cell = parser.parse_args()
    train(Path(), cell.task, cell.configuration)


if __name__ == "__main__":
    run(main)
