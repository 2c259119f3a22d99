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
from stages.files import artifacts
from stages.parameters import params
from stages.studies.axis_values import ALONE, list_axis_values
from stages.studies.cells import STUDIES
from stages.studies.changes import Values
from stages.studies.declared import declare, describe, list_seeds, of_each
from stages.studies.load import load_study
from stages.studies.schema import CHANCE, Study, split_cell
from stages.studies.tables import FLOOR, read_table, report_path

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
    return digest(describe(study, task, cell, value, values)), set(seeds)


def list_scored(scores: pd.DataFrame) -> Iterator[tuple[str, str, str, set[int]]]:
    """List every cell of a table of scores, with the seeds that it has; no baselines, which have none."""
    cells = scores[~scores.cell.str.startswith(FLOOR)]
    for (task, cell, at), seeds in cells.groupby(["task", "cell", "at"], sort=False).seed:
        yield str(task), str(cell), str(at), set(seeds)


def write_declared(root: Path, study: str) -> None:
    """Write that a study's scores are of its cells as they are declared now."""
    read, values = load_study(root, study), params.read(root / params.FILE)
    rows = []
    for task, cell, at, _ in list_scored(read_table(root / report_path(study, "scores"))):
        found = find_declared(read, task, cell, at, values)
        if found is None:
            raise InputError(
                f"{name_cell(task, cell, at)} has scores, but {STUDIES / study}.yaml has no such cell"
            )
        rows.append((task, cell, at, found[0]))
    artifacts.write_csv(root / report_path(study, TABLE), pd.DataFrame(rows, columns=COLUMNS))


def find_strays(root: Path, study: str, scores: pd.DataFrame) -> list[str]:
    """Say which scores are of no cell as it is declared now; prints where nothing tells of what they are."""
    path, read = root / report_path(study, TABLE), load_study(root, study)
    if not path.is_file():
        print(f"{study}: its scores cannot be checked against settings: {path.name} is missing")
        return []
    values = params.read(root / params.FILE)
    table = read_table(path)
    if list(table) != COLUMNS:
        raise InputError(
            f"{path}: columns {', '.join(map(str, table))}, expected {', '.join(COLUMNS)}; `git restore` it"
        )
    known = dict(zip(zip(table.task, table.cell, table["at"], strict=True), table.declared, strict=True))
    strays = {}
    for task, cell, at, seeds in list_scored(scores):
        found = find_declared(read, task, cell, at, values)
        if found is None:
            strays[task, cell, at] = "is no cell of the study any more"
        elif known.get((task, cell, at)) != found[0]:
            strays[task, cell, at] = "was scored with other settings than are declared now"
        elif read.tasks and (surplus := seeds - found[1]):
            strays[task, cell, at] = f"was scored with seed {min(surplus)}, which is not declared now"
    return [f"{name_cell(*which)} {why}" for which, why in strays.items()]


def name_cell(task: str, cell: str, at: str) -> str:
    return ", ".join(filter(None, [task, f"{cell}@{at}" if at else cell]))
