"""Where trained models attend on validation data: data/attention and reports/tables/attention.csv."""

from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from stages.files import artifacts
from stages.interventions import attention_weights, restore
from stages.measures import attended
from stages.measures.alignment import permutations
from stages.measures.splits import COMPLEXITIES
from stages.model.transformer import Transformer
from stages.parameters import params
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.grid import task as grid
from stages.tasks.interface import Task
from stages.tasks.network import task as network
from stages.tasks.recordings import task as recordings
from stages.training import device

ATTENTION = Path("data/attention")
TABLE = Path("reports/tables/attention.csv")
TASKS = {"grid": grid, "network": network, "recordings": recordings}
PERMUTATIONS = 999
COLUMNS = ["task", "encoding", *attended.COLUMNS]

Weights = NDArray[np.float32]
Found = tuple[dict[str, Weights], pd.DataFrame]
"""Maps by name, and measures of them."""


def of_frames(model: Transformer, task: Task, seed: int, stream: tuple[str, str]) -> Found:
    """Mean maps [R, H, m, n] `block<k>` over validation frames, and what they agree with."""
    blocks = attention_weights.record_mean(model, task, "validation")
    shuffles = permutations(task.positions.n_tokens, PERMUTATIONS, generator(seed, *stream, "permutations"))
    found = attended.of_maps(blocks, task.positions.distances, shuffles, seed)
    return {f"block{number}": weights for number, weights in enumerate(blocks)}, found


def of_puzzles(model: Transformer, task: Task, seed: int, stream: tuple[str, str]) -> Found:
    """The same of validation puzzles; maps also of each complexity, and by the target's cell.

    `by_target` [R, H, n, n]: of the last block's answering token, mean over puzzles with each target; NaN for
    a cell that is no puzzle's target.
    """
    stored = artifacts.read_arrays(grid.DATA)
    puzzles, complexity = stored["validation_puzzles"], stored["validation_complexity"]
    blocks = attention_weights.record_all(model, task, "validation")
    targets = np.argmax(puzzles, axis=1)  # the mark is the largest code
    levels = {"": np.ones(len(targets), bool)}
    levels |= {f"_{name}": complexity == code for name, code in COMPLEXITIES.items()}
    levels = {suffix: members for suffix, members in levels.items() if members.any()}
    maps = {
        f"block{number}{suffix}": weights[:, members].mean(axis=1)
        for number, weights in enumerate(blocks)
        for suffix, members in levels.items()
    }
    cells = np.arange(puzzles.shape[1])
    marked = (targets == cells[:, None]).astype(np.float32)
    counts = np.where(marked.any(axis=1), marked.sum(axis=1), np.nan)
    sums = np.einsum("cp,rphk->rhck", marked, blocks[-1][..., -1, :])
    maps["by_target"] = np.asarray(sums / counts[:, None], np.float32)
    shuffles = permutations(len(cells), PERMUTATIONS, generator(seed, *stream, "permutations"))
    whole = [maps[f"block{number}"] for number in range(len(blocks))]
    found = [attended.of_maps(whole, task.positions.distances, shuffles, seed)]
    found.append(attended.of_puzzles(blocks, targets, levels, generator(seed, *stream, "targets")))
    return maps, pd.concat([one for one in found if len(one)])


def of_task(name: str, settings: params.Params, where: torch.device) -> Found:
    """Maps `<configuration>__<map>` and measures of all the task's trained configurations."""
    task: Task = TASKS[name].load(settings, where)
    measure = of_puzzles if name == "grid" else of_frames
    maps: dict[str, Weights] = {}
    rows = [pd.DataFrame(columns=COLUMNS)]
    for encoding, model in restore.cells(settings, name, task, where):
        own, found = measure(model, task, settings.seed, (name, "interventions"))
        maps |= {f"{encoding}__{key}": array for key, array in own.items()}
        rows.append(found.assign(task=name, encoding=encoding)[COLUMNS])
    return maps, pd.concat(rows[1:] or rows)


def main() -> None:
    settings = params.load()
    where = device.choose_device(settings.device)
    rows = []
    for name in TASKS:
        maps, found = of_task(name, settings, where)
        artifacts.write_arrays(ATTENTION / f"{name}.npz", maps)
        rows.append(found)
    artifacts.write_csv(TABLE, pd.concat(rows))


if __name__ == "__main__":
    run(main)
