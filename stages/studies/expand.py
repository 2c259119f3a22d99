"""Write what a study expands to, studies/<study>/cells.yaml and dvc.yaml; all studies if none is named."""

import argparse
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from torch import nn

from stages.encodings.interface import Host, PositionalEncoding, resolve
from stages.files.artifacts import write_bytes
from stages.parameters import params
from stages.parameters.checking import check
from stages.parameters.errors import InputError, one_of
from stages.parameters.scales import Model
from stages.parameters.yaml_text import parse
from stages.running.command import run
from stages.studies.cells import CELLS, STUDIES, Cell, change, configuration_of, seeds_of
from stages.studies.donors import DONORS
from stages.studies.expansion import Expanded
from stages.studies.rehearse import rehearse
from stages.studies.rendering import render
from stages.studies.schema import list_studies
from stages.tasks.facts import find_facts

Rehearsed = tuple[PositionalEncoding, Host] | None


def check_cells(root: Path, name: str, expanded: Expanded, scale: str | None) -> None:
    """InputError for the first cell whose parameters, configuration or start are mistaken."""
    usual = params.read(root / params.FILE)
    usual |= {"scale": scale} if scale else {}
    cells = {key: values for of_group in expanded["cells"].values() for key, values in of_group.items()}
    rehearsed: dict[str, Rehearsed] = {}
    sizes: dict[str, Model] = {}
    seeds: dict[str, int] = {}
    for key, values in cells.items():
        try:
            cell = check(Cell, values, key)
            if cell.scale and cell.scale not in usual["scales"]:
                raise InputError(
                    f"scale: '{cell.scale}' given, expected {one_of(cell.scale, usual['scales'])}"
                )
            settings = params.from_values(change(usual, cell.task, cell.scale, cell.set))
            settings.training(cell.task)
            configuration, sizes[key] = configuration_of(settings, cell), settings.model(cell.task)
            own = {"scheme": configuration.scheme, **asdict(configuration.architecture)}
            find_facts(cell.task).check_parameters(replace(settings, pe=own))
            resolve(configuration)
            rehearsed[key], seeds[key] = rehearse(configuration, sizes[key]), len(seeds_of(settings, cell))
        except InputError as error:
            raise InputError(f"{STUDIES / name}.yaml, {key}: {error}") from None
    for key, values in cells.items():
        start = values.get("start", {})
        for part, donor in [(part, start[part]) for part in DONORS if part in start]:
            place = f"{STUDIES / name}.yaml, {key}.start.{part}"
            if seeds[donor] != seeds[key]:
                raise InputError(f"{place}: {seeds[donor]} seeds of {donor}, expected {seeds[key]} as here")
            if part != "weights":
                check_tables(place, key, donor, rehearsed)
            elif sizes[donor] != sizes[key]:
                raise InputError(f"{place}: {donor} is a model of other sizes than {key}; give both the same")


def check_tables(place: str, key: str, donor: str, rehearsed: Mapping[str, Rehearsed]) -> None:
    """InputError where the donor's tables do not fit the cell's, as far as the rehearsal has made both."""
    ours, theirs = rehearsed[key], rehearsed[donor]
    if ours and not isinstance(getattr(ours[0], "tables", None), nn.Parameter):  # as learned.py has them
        raise InputError(f"{place}: {key} has no tables that are learned; expected the scheme learned")
    if theirs and not theirs[1].n_tables:
        raise InputError(f"{place}: {donor} has no tables to give; expected a scheme that adds tables")
    if ours and theirs and (ours[1].n_tables, ours[1].width) != (theirs[1].n_tables, theirs[1].width):
        raise InputError(
            f"{place}: {donor} has {theirs[1].n_tables} tables of width {theirs[1].width}, but {key} has "
            f"{ours[1].n_tables} of {ours[1].width}; give both models the same"
        )


def expand(root: Path, name: str, scale: str | None = None) -> None:
    """Check the study and every cell of it, at a scale or that of params.yaml, and write its files."""
    files = render(root, name)
    check_cells(root, name, parse(files[CELLS]), scale)
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
