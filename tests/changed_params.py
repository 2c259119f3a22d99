"""params.yaml of the project at scale smoke, with some values changed."""

from copy import deepcopy
from pathlib import Path
from typing import Any

from stages.parameters import params
from stages.parameters.params import Params
from stages.parameters.yaml_text import dump

ROOT = Path(__file__).parents[1]
VALUES: dict[str, Any] = params.read(ROOT / params.FILE) | {"scale": "smoke"}
VALUES["network"] |= {"nodes": 15, "communities": 3}  # half as many: its floor of trees fits a model for each
Changes = dict[str, Any]


def change_values(changes: Changes) -> dict[str, Any]:
    """Change the values with each of `changes`, whose keys are paths such as grid.order."""
    values = deepcopy(VALUES)
    for path, value in changes.items():
        *sections, last = path.split(".")
        section = values
        for name in sections:
            section = section.setdefault(name, {})
        section[last] = value
    return values


def change_settings(changes: Changes) -> Params:
    return params.from_values(change_values(changes))


def write_params(folder: Path, changes: Changes) -> None:
    (folder / params.FILE).write_text(dump(change_values(changes)))


def write_yaml(path: Path, values: Changes) -> None:
    """Write a file of parameters next to params.yaml, with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dump(values), encoding="utf-8")
