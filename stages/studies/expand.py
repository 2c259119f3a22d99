"""Write what a study expands to, studies/<study>/cells.yaml and dvc.yaml; all studies if none is named."""

import argparse
from dataclasses import asdict, replace
from pathlib import Path

from stages.encodings.interface import resolve
from stages.files.artifacts import write_bytes
from stages.parameters import params
from stages.parameters.checking import check
from stages.parameters.errors import InputError
from stages.parameters.yaml_text import parse
from stages.running.command import run
from stages.studies.cells import CELLS, STUDIES, Cell, change, configuration_of
from stages.studies.expansion import Expanded
from stages.studies.rehearse import rehearse
from stages.studies.rendering import render
from stages.studies.schema import list_studies
from stages.tasks.facts import find_facts


def check_cells(root: Path, name: str, expanded: Expanded) -> None:
    """InputError for the first cell whose parameters or configuration are mistaken."""
    usual = params.read(root / params.FILE)
    for of_group in expanded["cells"].values():
        for key, values in of_group.items():
            try:
                cell = check(Cell, values, key)
                settings = params.from_values(change(usual, cell.task, cell.scale, cell.set))
                settings.training(cell.task)
                configuration, sizes = configuration_of(settings, cell), settings.model(cell.task)
                own = {"scheme": configuration.scheme, **asdict(configuration.architecture)}
                find_facts(cell.task).check_parameters(replace(settings, pe=own))
                resolve(configuration)
                rehearse(configuration, sizes)
            except InputError as error:
                raise InputError(f"{STUDIES / name}.yaml, {key}: {error}") from None


def expand(root: Path, name: str) -> None:
    """Check the study and every cell of it, and write its files."""
    files = render(root, name)
    check_cells(root, name, parse(files[CELLS]))
    for file, text in files.items():
        path = root / STUDIES / name / file
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_bytes(path, text.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="files of studies/ without .yaml")
    for name in parser.parse_args().names or list_studies(Path()):
        expand(Path(), name)


if __name__ == "__main__":
    run(main)
