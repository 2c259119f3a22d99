"""Which training cells of a run can train as one stack: those that differ in their initial values alone."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stages.parameters import params
from stages.parameters.params import INITIAL

TRAINING = re.compile(r"python -m stages\.train --study (\w+) --cell (\S+)")
NAMES = {"cell", "at", "scheme"}  # of a cell's keys, those that only say what `configuration` says too
Values = Mapping[str, Any]


def choose_stacks(root: Path, commands: Mapping[str, str]) -> dict[str, str]:
    """Of stages, by their commands, those that train a cell: what is equal in all cells of its stack."""
    return find_stacks(read_cells(root, commands), params.load(root / params.FILE).pe)


def read_cells(root: Path, commands: Mapping[str, str]) -> dict[str, Values]:
    """What studies/<study>/cells.yaml says of each stage that trains a cell, and the study."""
    cells: dict[str, dict[str, Values]] = {}
    found: dict[str, Values] = {}
    for name, command in commands.items():
        if match := TRAINING.fullmatch(command):
            study, key = match.groups()
            if study not in cells:
                groups = params.read(root / "studies" / study / "cells.yaml")["cells"].values()
                cells[study] = {key: values for of_group in groups for key, values in of_group.items()}
            found[name] = {"study": study, **cells[study][key]}
    return found


def find_stacks(cells: Mapping[str, Values], pe: Values) -> dict[str, str]:
    """For each stage that trains a cell from drawn values: what is equal in all cells of its stack.

    pe: the configuration of cells that have none of their own.
    """
    stacks = {}
    for name, cell in cells.items():
        if cell.get("trained", True) and "start" not in cell:
            configuration = cell["configuration"] or pe
            shape = {key: configuration[key] for key in configuration if key not in INITIAL}
            rest = {key: cell[key] for key in cell if key not in NAMES}
            stacks[name] = json.dumps(rest | {"configuration": shape}, sort_keys=True)
    return stacks


def join_commands(commands: list[str]) -> str:
    """The command that trains the cells of several, which differ in their last word, as one stack."""
    return " ".join([commands[0], *(command.split()[-1] for command in commands[1:])])
