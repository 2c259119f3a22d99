"""Train one cell, task x configuration: all its seeds at once, as one stacked model."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from stages.encodings.interface import DoesNotFit
from stages.files.artifacts import write_arrays, write_atomically, write_csv, write_json, write_weights
from stages.parameters import params
from stages.running.command import run
from stages.training.cell import MODELS, Trained, trained, unfinished
from stages.training.fit import EpochScore
from stages.training.predict import encoding_tables, predictions


def write_cell(folder: Path, cell: Trained) -> None:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=params.TASKS)
    parser.add_argument("--configuration", required=True, help="a name in sweep, or focus for pe")
    cell = parser.parse_args()
    with write_atomically(MODELS / cell.task / cell.configuration) as beside:
        try:
            write_cell(beside, trained(params.load(), cell.task, cell.configuration))
        except DoesNotFit as reason:
            print(f"{cell.task} {cell.configuration}: skipped, {reason}")
            write_json(beside / "skipped.json", {"reason": str(reason)})
    unfinished(cell.task, cell.configuration).unlink(missing_ok=True)


if __name__ == "__main__":
    run(main)
