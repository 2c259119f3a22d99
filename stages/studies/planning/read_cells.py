"""A study, and all that it asks for under params.yaml, as it was checked before it trained."""

from pathlib import Path

from stages.core.settings.errors import InputError
from stages.parameters import params
from stages.studies.cells import STUDIES, Expanded
from stages.studies.planning.expand import expand
from stages.studies.planning.load import load_study
from stages.studies.schema import Study


def read_cells(root: Path, name: str) -> tuple[Study, Expanded]:
    """Read a study and list its cells, which `plan_study` checked before it trained them."""
    values = params.read(root / params.FILE)
    params.from_values(values)  # a mistake in params.yaml is told as it stands there
    study = load_study(root, name)
    try:
        return study, expand(name, study, values)
    except InputError as error:
        raise InputError(f"{STUDIES / name}.yaml: {error}") from None
