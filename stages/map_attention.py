"""Where trained models attend on validation data: data/attention and reports/tables/attention.csv."""

from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.interventions import attention_weights, restore
from stages.measures import attention_maps
from stages.measures.alignment import permutations
from stages.model.transformer import Transformer
from stages.parameters import params
from stages.parameters.params import Params
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import find_facts
from stages.tasks.grid.facts import complexity_masks
from stages.tasks.interface import Task, load_task
from stages.training import device

ATTENTION = Path("data/attention")
TABLE = Path("reports/tables/attention.csv")
PERMUTATIONS = 999
COLUMNS = ["task", "encoding", *attention_maps.COLUMNS]

Weights = NDArray[np.float32]
Maps = dict[str, Weights]


def map_puzzles(
    model: Transformer, task: Task, data: Arrays, random: np.random.Generator
) -> tuple[Maps, pd.DataFrame]:
    """Maps [R, H, m, n] of validation puzzles, and what they say of the puzzles' targets.

    Mean maps `block<k>`, also of each complexity, and by the target's cell: `by_target` [R, H, n, n], of the
    last block's answering token, mean over the puzzles of each target, NaN where there is none.
    """
    puzzles = data["validation_puzzles"]
    blocks = attention_weights.record_all(model, task, "validation")
    targets = np.argmax(puzzles, axis=1)  # the mark is the largest code
    levels = {"": np.ones(len(targets), bool)}
    by_complexity = complexity_masks(data["validation_complexity"])
    levels |= {f"_{level}": members for level, members in by_complexity.items() if members.any()}
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
    return maps, attention_maps.compare_puzzles(blocks, targets, levels, random)


def map_task(name: str, settings: Params, root: Path, where: torch.device) -> tuple[Maps, pd.DataFrame]:
    """Maps `<configuration>__<map>` and measures of all the task's trained configurations."""
    data = find_facts(name).read_data(root)
    task = load_task(name, settings, data, where)
    maps: Maps = {}
    tables = []
    for encoding, model in restore.restore_cells(settings, root, name, task, where):
        of_targets = pd.DataFrame()
        if "validation_puzzles" in data:
            random = generator(settings.seed, name, "interventions", "targets")
            of_cell, of_targets = map_puzzles(model, task, data, random)
        else:
            blocks = attention_weights.record_mean(model, task, "validation")
            of_cell = {f"block{number}": weights for number, weights in enumerate(blocks)}
        means = [of_cell[f"block{number}"] for number in range(len(model.blocks))]
        random = generator(settings.seed, name, "interventions", "permutations")
        shuffles = permutations(task.positions.n_tokens, PERMUTATIONS, random)
        of_maps = attention_maps.compare_maps(means, task.positions.distances, shuffles, settings.seed)
        maps |= {f"{encoding}__{key}": array for key, array in of_cell.items()}
        measures = [rows for rows in (of_maps, of_targets) if len(rows)]
        tables += [rows.assign(task=name, encoding=encoding)[COLUMNS] for rows in measures]
    return maps, pd.concat(tables or [pd.DataFrame(columns=COLUMNS)])


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    where = device.choose_device(settings.device)
    tables = []
    for name in settings.tasks:
        if not find_facts(name).in_line:
            maps, rows = map_task(name, settings, root, where)
            artifacts.write_arrays(root / ATTENTION / f"{name}.npz", maps)
            tables.append(rows)
    artifacts.write_csv(root / TABLE, pd.concat(tables))


if __name__ == "__main__":
    run(main)
