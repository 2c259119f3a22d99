"""Hold scores in git against what study and params.yaml declare of their cells now.

Beside them lies declared.csv, with a digest for each cell of what was declared when it was scored. No trained
cell is needed for it, and no data.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import pandas as pd

from stages.core.settings.errors import InputError
from stages.parameters import params
from stages.studies.axis_values import ALONE, list_axis_values
from stages.studies.changes import Values
from stages.studies.declared import declare, describe_cell, list_seeds, of_each
from stages.studies.schema import CHANCE, Study, split_cell
from stages.studies.tables import FLOOR, find_metric, read_table, report_path
from stages.tasks.facts import find_facts

TABLE = "declared"
COLUMNS = ["task", "cell", "at", "declared"]


def digest(described: Values) -> str:
    return sha256(json.dumps(described, sort_keys=True, default=str).encode()).hexdigest()


def find_declared(study: Study, task: str, cell: str, at: str, values: Values) -> tuple[str, set[int]] | None:
    """Find the digest and seeds of what is declared now of a cell with scores; None where it is no more.

    ASSUME that the axis concerns a cell that has scores at one of its values: encodings are not imported.
    """
    if study.tables:
        table = next((name for name in study.tables for end in ("", *CHANCE) if cell == name + end), None)
        return None if table is None else (digest(asdict(study.tables[table])), set())
    own, written = split_cell(cell, study.cells.get(cell, {}))
    if cell not in study.list_cells() or task not in (own.tasks or study.tasks):
        return None
    configuration = of_each(written, task, study)
    along = list_axis_values(study, task, configuration, own, True) if cell in study.cells else []
    value = next((one for one in [ALONE, *along] if one.at == at), None)
    if value is None:
        return None
    changes, changed, _ = declare(study, task, cell, value, values)
    usual = changed["scales"][changed["scale"]][task]["training"].get("seeds", 0)
    seeds = list_seeds(study, cell, changes, own, usual)
    return digest(describe_cell(study, task, cell, value, values)), set(seeds)


def list_scored(scores: pd.DataFrame) -> Iterator[tuple[str, str, str, pd.DataFrame]]:
    """List every cell of a table of scores, with its rows; no baselines, which have no seeds."""
    cells = scores[~scores.cell.str.startswith(FLOOR)]
    for (task, cell, at), rows in cells.groupby(["task", "cell", "at"], sort=False):
        yield str(task), str(cell), str(at), rows


def find_lost(study: Study, task: str, rows: pd.DataFrame, seeds: set[int]) -> tuple[int, str] | None:
    """Find a seed that diverged by no row, and which score or tested metric of the task it lacks."""
    tests = [test for _, test in study.list_tests() if test.task == task]
    tested = ["score", *(metric for test in tests for metric in test.metrics)]
    names = rows.split + "/" + rows.metric
    known = seeds - set(rows[(names == "train/diverged") & (rows.value == 1)].seed)
    for split, metric in dict.fromkeys(find_metric(task, one) for one in tested):
        name = f"{split}/{metric}"
        there = set(rows[names == name].seed) if name in find_facts(task).scored else set()
        if there and (lost := known - there):
            return min(lost), name
    return None


def find_strays(root: Path, name: str, study: Study, scores: pd.DataFrame) -> list[str]:
    """Say which scores are of no cell as it is declared now, and which of its seeds have none."""
    path = root / report_path(name, TABLE)
    if not path.is_file():
        return [f"{path.name} beside it is missing, so their settings are not known; `git restore` it"]
    values = params.read(root / params.FILE)
    table = read_table(path)
    if list(table) != COLUMNS:
        raise InputError(
            f"{path}: columns {', '.join(map(str, table))}, expected {', '.join(COLUMNS)}; `git restore` it"
        )
    known = dict(zip(zip(table.task, table.cell, table["at"], strict=True), table.declared, strict=True))
    strays = dict.fromkeys(known, "has no scores, but was scored")
    for task, cell, at, rows in list_scored(scores):
        strays.pop((task, cell, at), None)
        seeds = set(rows.seed)
        found = find_declared(study, task, cell, at, values)
        if found is None:
            strays[task, cell, at] = "is no cell of the study any more"
        elif known.get((task, cell, at)) != found[0]:
            strays[task, cell, at] = "was scored with other settings than are declared now"
        elif study.tasks and (surplus := seeds - found[1]):
            strays[task, cell, at] = f"was scored with seed {min(surplus)}, which is not declared now"
        elif study.tasks and (lost := find_lost(study, task, rows, seeds if study.seeds_apart else found[1])):
            strays[task, cell, at] = f"has no {lost[1]} of seed {lost[0]}, which is declared"
    return [f"{name_cell(*which)} {why}" for which, why in strays.items()]


def name_cell(task: str, cell: str, at: str) -> str:
    return ", ".join(filter(None, [task, f"{cell}@{at}" if at else cell]))
