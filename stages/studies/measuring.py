"""What is measured of a trained cell beside its scores: its tables, attention, and what theory says of it.

Each function returns rows (split, metric, values), one value for each seed [R], NaN where there is none.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from stages.files import artifacts, cells
from stages.files.artifacts import Arrays
from stages.measures import alignment, attention_maps, locality, probe, tables
from stages.measures.position_probes import folds
from stages.parameters.errors import InputError
from stages.parameters.params import Configuration, Params
from stages.positions.positions import Positions
from stages.randomness.streams import Replicates, generator
from stages.studies import distinct_rows
from stages.tasks.facts import TaskFacts
from stages.tasks.interface import load_task
from stages.tasks.probe.facts import Data as ProbeData
from stages.training import attention_weights
from stages.training.restore import restore_cell

THEORY = Path("data/reference/probe_theory.csv")
Row = tuple[str, str, NDArray[np.float64]]
TABLES, ATTENTION, OF_THEORY = "tables", "attention", "theory"


def measure_alignment(folder: Path, facts: TaskFacts, positions: Positions) -> Iterator[Row]:
    """Rank correlation of distances between rows of the final tables with true distances, by reference.

    `alignment` is that with the reference that judges the task; `alignment_initial` and `alignment_added`
    the same of tables as drawn, and of what training added to them. Blocks side by side.
    """
    final = cells.read_tables(folder)
    if final is None or not positions.distances:
        return
    initial = cells.read_tables(folder, "initial")
    assert initial is not None
    judging = facts.judging_reference(positions.distances)
    for name, values in align(final, positions).items():
        yield TABLES, f"alignment_{name}", values
        if name == judging:
            yield TABLES, "alignment", values
    for name, changed in (("initial", initial), ("added", final - initial)):
        if np.any(changed) and judging:
            yield TABLES, f"alignment_{name}", align(changed, positions)[judging]


def align(stored: NDArray[np.floating], positions: Positions) -> dict[str, NDArray[np.float64]]:
    """Spearman alignment [R] of tables [R, blocks, n, d] with each reference; NaN of those not finite."""
    whole = tables.is_finite(stored)
    joined = [tables.join_blocks(blocks) for blocks in stored[whole]]
    shuffles = np.arange(positions.n_tokens)[None]  # no null is asked for
    rows = alignment.align(joined, positions.distances, shuffles)
    found = {}
    for name, of in rows[rows.measure == "spearman"].groupby("reference"):
        values = np.full(len(stored), np.nan)
        values[np.flatnonzero(whole)[of.table.to_numpy()]] = of.value
        found[str(name)] = values
    return found


def measure_read_back(folder: Path, seed: int, task: str) -> Iterator[Row]:
    """Accuracy of reading content and position back from tokens plus the first table, by linear probes."""
    final = cells.read_tables(folder)
    if final is None:
        return
    weights = artifacts.read_weights(folder / "weights.safetensors")
    contents = weights["embedding.linear.weight"] + weights["embedding.linear.bias"]
    rows = tables.read_back_first({"": final}, {"": contents}, 1, generator(seed, task, "read back"))
    yield from by_seed(rows, len(final))


def measure_read_out(folder: Path, positions: Positions, seed: int, task: str) -> Iterator[Row]:
    """Linear read-outs of the tokens' positions and order from tables (Wang & Chen 2020)."""
    final = cells.read_tables(folder)
    if final is None:
        return
    fold = folds(positions.n_tokens, generator(seed, task, "folds"))
    shuffles = alignment.permutations(positions.n_tokens, 1, generator(seed, task, "permutations"))
    rows = tables.read_out({"": final}, positions, fold, shuffles)
    yield from by_seed(rows[rows.block == "all"], len(final))


def measure_locality(folder: Path) -> Iterator[Row]:
    """Of final tables of tokens in a row, blocks side by side: `cosine_<steps>` of rows that far apart.

    `steps_to_half`: where that is half-way from neighbours to any two rows; NaN where it never is.
    """
    final = cells.read_tables(folder)
    if final is None:
        return
    values: dict[str, NDArray[np.float64]] = {}
    for seed in np.flatnonzero(tables.is_finite(final)).tolist():
        table = tables.join_blocks(final[seed]).astype(np.float64)
        cosines = locality.cosine_by_steps(table)
        found = {f"cosine_{steps}": value for steps, value in cosines.items()}
        found["steps_to_half"] = locality.count_steps(cosines, locality.mean_cosine(table))
        for metric, value in found.items():
            values.setdefault(metric, np.full(len(final), np.nan))[seed] = value
    for metric, of_seeds in values.items():
        yield TABLES, metric, of_seeds


def by_seed(rows: pd.DataFrame, count: int) -> Iterator[Row]:
    """Rows of alignment.COLUMNS with a seed: a metric for each measure and its reference."""
    for (measure, reference), of in rows.groupby(["measure", "reference"], sort=False):
        values = np.full(count, np.nan)
        values[of.seed.to_numpy(np.int64)] = of.value
        plain = reference in ("index", "content")
        yield TABLES, str(measure) if plain else f"{measure}_{reference}", values


def measure_attention(
    folder: Path,
    facts: TaskFacts,
    settings: Params,
    configuration: Configuration,
    data: Arrays,
    seeds: list[int],
) -> Iterator[Row]:
    """How much more attention goes to true neighbours: area under the ROC curve, mean over heads and blocks.

    `auc_<reference>` of validation data, of blocks in which every token attends.
    """
    name = facts.name
    task = load_task(name, settings, data, torch.device("cpu"))
    replicates = Replicates(settings.seed, name, seeds)
    model = restore_cell(folder, task, configuration, settings.model(name), replicates)
    blocks = attention_weights.record_mean(model, task, facts.score.split)
    for reference, values in attention_maps.mean_auc(blocks, task.positions.distances).items():
        yield ATTENTION, f"auc_{reference}", values


def compare_with_theory(
    root: Path, settings: Params, configuration: Configuration, scores: pd.DataFrame
) -> Iterator[Row]:
    """What theory says of the position probe, and whether untrained and trained models agree with it."""
    theory = artifacts.read_csv(root / THEORY, "distinct_rows", "accuracy")
    try:
        drawn = distinct_rows.count_most(configuration, settings.seed)
    except InputError as reason:  # this small model may be too narrow for what the task's is not
        print(f"not compared with theory, {reason}")
        return
    tokens = settings.data("probe", ProbeData).tokens
    found = probe.compare(configuration, theory, drawn, distinct_rows.TOKENS, scores, tokens)
    for metric, value in found.items():
        yield OF_THEORY, metric, np.full(scores.seed.nunique(), value)
