"""Measure what the fetched tables of a study hold of the places of their rows, beside chance.

It writes reports/studies/<study>/scores.csv, and maps.npz: similarities in hundredths, for the figure. The
measures are those of stages/measure_table, and `steps_to_half`. `seed` counts ten groups of a table's rows.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.core.measures.alignment import cosine_similarity
from stages.core.measures.locality import count_steps, mean_cosine
from stages.core.measures.position_probes import Folds, folds
from stages.core.placed_rows import Places, compare_places, measure_one, split_rows
from stages.core.positions.positions import Matrix
from stages.core.randomness.streams import generator
from stages.files import artifacts
from stages.measure_table.measures import KEYS, tabulate
from stages.measure_table.places import read_places
from stages.studies.planning.declare import write_declared
from stages.studies.planning.load import load_study
from stages.studies.schema import CHANCE
from stages.studies.tables import OF_TABLES, PATCHES, SCORES, fetched_path, maps_path, report_path

GROUPS = 10  # of rows; as many shuffles and random tables stand for chance
Summary = dict[tuple[str, str, int], float]  # of every measure its value, by `KEYS`


def measure_study(root: Path, study: str) -> None:
    """Measure the tables that a study fetched: its table of scores, and maps for its figure."""
    rows, maps = [], {}
    for key, wanted in load_study(root, study).tables.items():
        (stored,) = artifacts.read_arrays(root / fetched_path(study, key)).values()
        table = stored.astype(np.float64)
        places, random = read_places(wanted.positions, len(table)), generator(0, "pretrained", key)
        found = [measure_groups(table, places, random), *measure_chance(table, places, random)]
        rows += [row for end, one in zip(("", *CHANCE), found, strict=True) for row in tell(key + end, one)]
        maps[key] = draw_maps(table, places)
    artifacts.write_csv(root / report_path(study, "scores"), pd.DataFrame(rows, columns=SCORES))
    write_declared(root, study)
    artifacts.write_arrays(root / maps_path(study), maps)


def measure_groups(table: Matrix, places: Places, random: np.random.Generator) -> list[Summary]:
    """Measure each group of rows: values of the whole table, moved as the group moves them.

    Mean and spread are those of the delete-a-group jackknife (Kott 2001, Journal of Official Statistics 17),
    so Student's t over the groups is its interval. Groups share no row, unlike random splits of the same
    rows. ASSUME rows are a sample of those that this model might have learned. This says nothing of other
    models.
    """
    group = random.permutation(np.arange(len(table)) % GROUPS)
    partitions = split_rows(len(table), random)
    whole, *without = (
        measure_rows(table, places, partitions, group != left_out) for left_out in range(-1, GROUPS)
    )
    return spread(whole, without)


def measure_rows(
    table: Matrix, places: Places, partitions: Sequence[Folds], kept: NDArray[np.bool_]
) -> Summary:
    """Take every measure of the rows that are kept [n], `steps_to_half` to each truth among them."""
    rows = table[kept]
    truths = {name: coordinates[kept] for name, coordinates in places.items()}
    values = summarise(rows, truths, [fold[kept] for fold in partitions])
    alike = mean_cosine(rows)
    for name in places:
        cosines = {at: value for (kind, of, at), value in values.items() if (kind, of) == ("cosine", name)}
        values["steps_to_half", name, 0] = count_steps(cosines, alike)
    return values


def spread(whole: Summary, without: Sequence[Summary]) -> list[Summary]:
    """Move the whole by what each group changes beyond the mean of groups, times groups - 1.

    without: the measures where each group is left out. What only the whole has is left out: the similarity of
    two rows at a distance at which there are no others.
    """
    factor = len(without) - 1
    keys = [key for key in whole if all(key in one for one in without)]
    means = {key: float(np.mean([one[key] for one in without])) for key in keys}
    return [{key: whole[key] + factor * (means[key] - one[key]) for key in keys} for one in without]


def measure_chance(
    table: Matrix, places: Places, random: np.random.Generator
) -> tuple[list[Summary], list[Summary]]:
    """Measure ten shuffles of the table's rows, and ten random tables with its mean square."""
    n, scale = len(table), float(np.sqrt(np.square(table).mean()))
    shuffled = (table[random.permutation(n)] for _ in range(GROUPS))
    drawn = (random.normal(scale=scale, size=table.shape) for _ in range(GROUPS))
    first, second = (
        [summarise(one, places, [folds(n, random)]) for one in some] for some in (shuffled, drawn)
    )
    return first, second


def summarise(table: Matrix, places: Places, partitions: Sequence[Folds]) -> Summary:
    """Take every measure of `measure_one`, the mean over folds, but those of single rows."""
    truths = {name: compare_places(coordinates) for name, coordinates in places.items()}
    rows = tabulate(measure_one(table, places, truths, partitions))
    rows = rows[rows.measure != "index_read"]
    return {
        (str(measure), str(reference), int(at)): float(value)
        for measure, reference, at, value in rows[[*KEYS, "value"]].to_numpy()
    }


def tell(cell: str, found: Sequence[Summary]) -> Iterator[tuple[Any, ...]]:
    """Yield rows with columns `SCORES`, in which `at` is the truth that a measure is of."""
    for seed, values in enumerate(found):
        for (measure, reference, at), value in values.items():
            metric = f"{measure}_{at}" if at else measure
            yield "", cell, reference, seed, OF_TABLES.split, metric, value


def draw_maps(table: Matrix, places: Places) -> NDArray[np.int8]:
    """Map the similarity of rows [n, n].

    Of a square: some patches with all of it [patches, rows, columns].
    """
    similarity = np.rint(100 * cosine_similarity(table)).astype(np.int8)
    if "square" not in places:
        return similarity
    rows, columns = (int(last) + 1 for last in places["square"].max(axis=0))
    patches = [int(down * rows) * columns + int(across * columns) for down, across in PATCHES.values()]
    return similarity[patches].reshape(-1, rows, columns)
