"""Measure a trained cell beyond its scores: its tables, its attention, and what theory says of it.

Each function returns rows (split, metric, values), one value for each seed [R], NaN where there is none.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from stages.core.measures import attention_maps, locality, mirroring
from stages.core.measures.alignment import align
from stages.core.measures.position_probes import folds, order_accuracy, position_error
from stages.core.measures.read_back import read_back
from stages.core.measures.tables import is_finite, join_blocks, measure_each
from stages.core.positions.positions import Matrix, Positions, lattice_units
from stages.core.positions.sinusoids import sinusoid_nd
from stages.core.randomness.streams import Replicates, generator
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.files import artifacts, cells
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.studies.cells import Cell
from stages.studies.scoring import distinct_rows
from stages.tasks.facts import TaskFacts, find_facts
from stages.tasks.interface import load_task
from stages.tasks.probe import theory as probe_theory
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
    for name, distances in sorted(positions.distances.items()):
        values = measure_each(final, partial(align, reference=distances))
        yield TABLES, f"alignment_{name}", values
        if name == judging:
            yield TABLES, "alignment", values
    for name, changed in (("initial", initial), ("added", final - initial)):
        if np.any(changed) and judging:
            distances = positions.distances[judging]
            yield TABLES, f"alignment_{name}", measure_each(changed, partial(align, reference=distances))


def measure_mirroring(folder: Path, positions: Positions) -> Iterator[Row]:
    """Measure distance of final tables to the sinusoid of the tokens' coordinates, once turned onto it.

    `procrustes`, mean over blocks; `procrustes_equal_size`, where size says nothing; `stress`, of distances
    between rows compared with those between coordinates. Nothing if tokens have no coordinates.
    """
    final = cells.read_tables(folder)
    if final is None or positions.coordinates is None:
        return
    places = lattice_units(positions.coordinates)
    true = sinusoid_nd(places, final.shape[-1])
    apart = cdist(places, places)
    measures: dict[str, Callable[[Matrix], float]] = {
        "procrustes": partial(mirroring.measure_distance, true=true),
        "procrustes_equal_size": partial(mirroring.measure_shape, true=true),
        "stress": partial(mirroring.measure_stress, reference=apart),
    }
    for name, measure in measures.items():
        of_blocks = [measure_each(final[:, block : block + 1], measure) for block in range(final.shape[1])]
        yield TABLES, name, np.mean(of_blocks, axis=0)


def measure_read_back(folder: Path, seed: int, task: str) -> Iterator[Row]:
    """Measure how well linear probes read content and position back from tokens plus the first table."""
    final = cells.read_tables(folder)
    if final is None:
        return
    weights = artifacts.read_weights(folder / "weights.safetensors")
    contents = weights["embedding.linear.weight"] + weights["embedding.linear.bias"]
    random = generator(seed, task, "read back")
    of_places, of_contents = folds(final.shape[2], random), folds(contents.shape[1], random)
    values = np.full((2, len(final)), np.nan)
    for replica in np.flatnonzero(is_finite(final)).tolist():
        content, table = contents[replica].astype(np.float64), final[replica, 0].astype(np.float64)
        values[:, replica] = read_back(content, table, of_places), read_back(table, content, of_contents)
    yield TABLES, "content_accuracy", values[0]
    yield TABLES, "position_accuracy", values[1]


def measure_read_out(folder: Path, positions: Positions, seed: int, task: str) -> Iterator[Row]:
    """Measure linear read-outs of the tokens' positions and order from tables (Wang & Chen 2020)."""
    final = cells.read_tables(folder)
    if final is None:
        return
    fold = folds(positions.n_tokens, generator(seed, task, "folds"))
    index = np.arange(positions.n_tokens, dtype=np.float64)
    for name, known in (("", index), ("_coordinates", positions.coordinates)):
        if known is not None:
            error = partial(position_error, positions=known, fold=fold)
            yield TABLES, f"position_mae{name}", measure_each(final, error)
    yield TABLES, "order_accuracy", measure_each(final, partial(order_accuracy, fold=fold))


def measure_locality(folder: Path) -> Iterator[Row]:
    """Measure how similarity falls with distance in final tables of tokens in a row, blocks side by side.

    `cosine_<steps>`: mean cosine of rows that far apart. `steps_to_half`: where that is half-way from
    neighbours to any two rows; NaN where it never is.
    """
    final = cells.read_tables(folder)
    if final is None:
        return
    values: dict[str, NDArray[np.float64]] = {}
    for seed in np.flatnonzero(is_finite(final)).tolist():
        table = join_blocks(final[seed])
        cosines = locality.cosine_by_steps(table)
        found = {f"cosine_{steps}": value for steps, value in cosines.items()}
        found["steps_to_half"] = locality.count_steps(cosines, locality.mean_cosine(table))
        for metric, value in found.items():
            values.setdefault(metric, np.full(len(final), np.nan))[seed] = value
    for metric, of_seeds in values.items():
        yield TABLES, metric, of_seeds


def record_attention(folder: Path, cell: Cell, data: Arrays) -> list[attention_maps.Weights]:
    """Record the weights [R, H, m, n] of each block, mean over validation data."""
    facts = find_facts(cell.task)
    task = load_task(cell.task, cell.settings, data, torch.device("cpu"))
    replicates = Replicates(cell.settings.seed, cell.task, cell.seeds)
    sizes = cell.settings.model(cell.task)
    model = restore_cell(folder, task, cell.configuration, sizes, replicates)
    return attention_weights.record_mean(model, task, facts.score.split)


def measure_attention(
    blocks: Sequence[attention_maps.Weights],
    positions: Positions,
    model: Sequence[attention_maps.Weights] | None,
) -> Iterator[Row]:
    """Measure how much more attention goes to true neighbours: mean over heads and blocks of whole maps.

    `auc_<reference>`, the area under the ROC curve; `cosine_<reference>`, with a map in which every token
    attends to itself and its neighbours evenly; `cosine_model`, with that of another model, head by head.
    """
    for name, measure in (("auc", attention_maps.edge_auc), ("cosine", attention_maps.edge_cosine)):
        found = attention_maps.mean_over_heads(blocks, positions.distances, measure)
        for reference, values in found.items():
            yield ATTENTION, f"{name}_{reference}", values
    if model is not None:
        yield ATTENTION, "cosine_model", attention_maps.mean_cosine(blocks, model)


def compare_with_theory(
    root: Path, settings: Params, configuration: Configuration, scores: pd.DataFrame
) -> Iterator[Row]:
    """Compare untrained and trained models with what theory says of the position probe."""
    theory = artifacts.read_csv(root / THEORY, "distinct_rows", "accuracy")
    try:
        drawn = distinct_rows.count_most(configuration, settings.seed)
    except InputError as reason:  # this small model may be too narrow for what the task's is not
        print(f"note: {configuration.scheme} is not compared with theory, {reason}")
        return
    tokens = settings.data("probe", ProbeData).tokens
    found = probe_theory.compare(configuration, theory, drawn, distinct_rows.TOKENS, scores, tokens)
    for metric, value in found.items():
        yield OF_THEORY, metric, np.full(scores.seed.nunique(), value)
