"""The text of the files that a study expands to, and whether those that lie there are what it says now."""

from pathlib import Path

from stages.parameters.errors import InputError
from stages.parameters.yaml_text import dump
from stages.studies.cells import CELLS, STUDIES
from stages.studies.declare import declare
from stages.studies.expansion import expand_study
from stages.studies.load import load_study

HEADER = "# Made from {up}{name}.yaml by `make expand`: change that file, not this one.\n"


def render(root: Path, name: str) -> dict[str, str]:
    """The text of each file that a study expands to, by its path in the study's folder.

    InputError where the study is mistaken.
    """
    study = load_study(root, name)
    try:
        expanded = expand_study(name, study)
    except InputError as error:
        raise InputError(f"{STUDIES / name}.yaml: {error}") from None
    files = {CELLS: expanded, **declare(root, name, study, expanded)}
    return {
        path: HEADER.format(up="../" * len(Path(path).parts), name=name) + dump(values)
        for path, values in files.items()
    }


def require_expanded(root: Path, name: str) -> None:
    """InputError where the cells that lie there are not those of the study now.

    dvc.yaml may be another, as where some of its stages are frozen.
    """
    path = root / STUDIES / name / CELLS
    if not path.is_file() or path.read_text(encoding="utf-8") != render(root, name)[CELLS]:
        raise InputError(
            f"{path.relative_to(root)} is not what studies/{name}.yaml says now; write it anew: "
            f"`python -m stages.studies.expand {name}`"
        )
