"""Write a note that a study's scores are of what it declares now."""

from pathlib import Path

import pandas as pd

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.parameters import params
from stages.studies.cells import STUDIES
from stages.studies.judging.hold_scores import COLUMNS, TABLE, find_declared, list_scored, name_cell
from stages.studies.planning.load import load_study
from stages.studies.tables import report_path, require_scores


def write_declared(root: Path, study: str) -> None:
    """Write that a study's scores are of its cells as they are declared now."""
    read, values = load_study(root, study), params.read(root / params.FILE)
    rows = []
    for task, cell, at, _ in list_scored(require_scores(root, study)):
        found = find_declared(read, task, cell, at, values)
        if found is None:
            raise InputError(
                f"{name_cell(task, cell, at)} has scores, but {STUDIES / study}.yaml has no such cell"
            )
        rows.append((task, cell, at, found[0]))
    artifacts.write_csv(root / report_path(study, TABLE), pd.DataFrame(rows, columns=COLUMNS))
