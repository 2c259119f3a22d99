"""Read a study, checked."""

import re
from pathlib import Path

from stages.core.settings.checking import check
from stages.core.settings.errors import InputError, one_of
from stages.parameters import params
from stages.studies.cells import STUDIES
from stages.studies.checks.claims import check_claims
from stages.studies.checks.scored_names import check_scored
from stages.studies.checks.study import check_study
from stages.studies.judging.beside import read_beside
from stages.studies.schema import PIPELINE, Study, list_studies


def load_study(root: Path, name: str) -> Study:
    """Load the study of that name, checked. Raises InputError with its place otherwise."""
    path = root / STUDIES / f"{name}.yaml"
    written = re.sub(r"^(.*/)?([^/]+?)(\.ya?ml)?$", r"\2", name)
    if written != name and re.fullmatch(r"\w[\w-]*", written):
        raise InputError(f"study '{name}' given, expected its name alone; write {written}, as NAME={written}")
    if not re.fullmatch(r"\w[\w-]*", name):
        raise InputError(f"study '{name}' given, expected letters, digits, - and _; rename it")
    if not path.is_file() and path.with_suffix(".yml").is_file():
        raise InputError(f"studies/{name}.yml found, expected the ending .yaml; rename it to {name}.yaml")
    if not path.is_file() or path.name == PIPELINE:
        known = list_studies(root)
        expected = one_of(name, known) if known else "one in studies/, which is not here"
        raise InputError(f"study '{name}' is not known; expected {expected}")
    try:
        study = check(Study, params.read(path), "")
        check_study(study)
        check_scored(study)
        check_claims(study)
        read_beside(root, study)
        return study
    except InputError as error:
        raise InputError(f"{path.relative_to(root)}: {error}") from None
