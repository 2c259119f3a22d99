"""The cells of an expanded study, and the parameters under which one of them is trained and scored."""

from copy import deepcopy
from dataclasses import field
from math import isclose
from pathlib import Path
from typing import Any, Literal

from pydantic.dataclasses import dataclass

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.parameters import params
from stages.parameters.checking import check
from stages.parameters.errors import InputError, one_of
from stages.parameters.kinds import STRICT
from stages.parameters.own_files import list_visible
from stages.parameters.params import USUAL, Configuration, Params, read_configuration

STUDIES = Path("studies")
CELLS = "cells.yaml"
FOLDER = Path("data/studies")  # of each study the trained cells and what data are its own
SCORES = Path("data/scores")
OF_SCALE = ("data", "model", "training")  # sections that `set` names without scale and task
OF_TRAINING = ("model", "training", "configuration", "pe", "device", "compute")  # what changes no data
CURVES = ["task", "cell", "at", "seed", "epoch", "split", "metric", "value"]  # epoch: none for scores
Values = dict[str, Any]  # parameters by their path, such as training.epochs


@dataclass(frozen=True, config=STRICT)
class Start:
    """Whose tables a model with learned tables starts from, seed by seed."""

    tables: str  # a cell of this study
    state: Literal["initial", "final"] = "final"  # before or after that cell's training
    exchanged: bool = False  # rows given to other tokens, by one shuffle per seed
    sized_as: str | None = None  # scaled to the size of this cell's final tables, seed by seed
    weights: str | None = None  # all other weights are those that this cell ended with; null: drawn anew
    frozen: bool = False  # the tables stay as they are


@dataclass(frozen=True, config=STRICT)
class Data:
    """Data that a study asks for: of a task, under changed parameters."""

    task: str
    scale: str | None = None
    set: Values = field(default_factory=dict)


@dataclass(frozen=True, config=STRICT)
class Cell:
    """One configuration on one task, under changed parameters: all its seeds train as one stack."""

    task: str
    cell: str  # its name in the study
    at: str  # value of the axis; "" without one
    configuration: dict[str, Any] | None  # null: `pe` of params.yaml
    scheme: str | None  # of the configuration
    data: str | None  # its folder; null where the task makes up its own
    scale: str | None = None
    set: Values = field(default_factory=dict)
    seeds: list[int] | None = None  # null: as many as the scale says, from first_seed on
    first_seed: int = 0
    trained: bool = True
    start: Start | None = None  # with cells by their keys


@dataclass(frozen=True, config=STRICT)
class Floors:
    """What is predicted without a model from some data, which several values of the axis may share."""

    task: str
    data: str | None
    at: list[str]
    scale: str | None = None
    set: Values = field(default_factory=dict)


def read_cells(root: Path, study: str) -> dict[str, Any]:
    """What cells.yaml of a study holds: `cells` by group and key, `measures`, `floors`, `tables`."""
    known = [path.parent.name for path in list_visible(root / STUDIES, f"*/{CELLS}")]
    if known and study not in known:
        raise InputError(f"study '{study}' has no {CELLS}; expected {one_of(study, known)}")
    return params.read(root / STUDIES / study / CELLS)


def find_cell(root: Path, study: str, key: str) -> Cell:
    """The cell of that key; InputError where the study has none."""
    by_task = read_cells(root, study)["cells"]
    known = {name: values for of_task in by_task.values() for name, values in of_task.items()}
    if key not in known:
        raise InputError(f"study {study} has no cell '{key}'; expected {one_of(key, known)}")
    return check(Cell, known[key], f"{study}.{key}")


def find_floors(root: Path, study: str, key: str) -> Floors:
    """The floors of that key; InputError where the study has none."""
    known = read_cells(root, study)["floors"]
    if key not in known:
        raise InputError(f"study {study} has no floors '{key}'; expected {one_of(key, known)}")
    return check(Floors, known[key], f"{study}.{key}")


def list_scored(root: Path, study: str) -> list[str]:
    """Keys of the tables of scores that a study asks for, in the order of the study."""
    expanded = read_cells(root, study)
    cells = {key: cell for of_task in expanded["cells"].values() for key, cell in of_task.items()}
    return [*(key for key, cell in cells.items() if cell.get("trained", True)), *expanded["floors"]]


def cell_folder(root: Path, study: str, key: str) -> Path:
    return root / FOLDER / study / "cells" / key


def score_path(root: Path, study: str, key: str) -> Path:
    return root / SCORES / study / f"{key}.csv"


def settings_for(root: Path, task: str, scale: str | None, changes: Values) -> Params:
    """params.yaml with another scale, if one is given, and these changes for the task."""
    values = params.read(root / params.FILE)
    params.from_values(values)  # a mistake in the file is named as it stands there
    return params.from_values(change(values, task, scale, changes))


def change(values: Values, task: str, scale: str | None, changes: Values) -> Values:
    """The values of params.yaml with a scale and changes, whose keys are paths such as training.epochs.

    data, model and training are those of the scale and the task. {times: 2} multiplies the usual value, or
    that of the parameter `of`. InputError for a section that there is not.
    """
    after = deepcopy(values) | ({"scale": scale} if scale else {})
    of_scale = after["scales"].get(after["scale"], {})
    usual, own = of_scale.get(USUAL, {}), of_scale.get(task, {})
    sizes = {part: usual.get(part, {}) | own.get(part, {}) for part in OF_SCALE}
    after["scales"] = {after["scale"]: {task: sizes}}
    before = deepcopy(after)
    for path, value in changes.items():
        if path.startswith("configuration."):
            continue
        *sections, last = full_path(after, task, path)
        if isinstance(value, dict) and "times" in value:
            value = multiply(
                look_up(before, full_path(before, task, value.get("of", path)), path), value, path
            )
        look_up(after, sections, path)[last] = value
    return after


def full_path(values: Values, task: str, path: str) -> list[str]:
    """Keys that lead to a parameter as a change names it."""
    keys = path.split(".")
    return ["scales", values["scale"], task, *keys] if keys[0] in OF_SCALE else keys


def look_up(values: Values, keys: list[str], path: str) -> Any:
    """The value under these keys; InputError that names the change's path if there is none."""
    value: Any = values
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            raise InputError(f"set.{path}: params.yaml has no {'.'.join(keys)}; correct the name")
        value = value[key]
    return value


def multiply(usual: Any, factor: Values, path: str) -> int | float:
    """`times` the usual value; whole where that is a whole number, as 100 times 0.07 is but for rounding."""
    if not set(factor) <= {"times", "of"}:
        raise InputError(f"set.{path}: {factor!r} given, expected a value or {{times: 2, of: a parameter}}")
    if isinstance(usual, bool) or not isinstance(usual, int | float):
        raise InputError(f"set.{path}: {usual!r} cannot be multiplied; name a number with `of`")
    product = usual * factor["times"]
    if isinstance(usual, float):
        return float(product)
    whole = round(product)
    if not isclose(product, whole):
        raise InputError(
            f"set.{path}: {factor['times']} times {usual} is {product:g}, expected a whole number"
        )
    return int(whole)


def settings_of(root: Path, cell: Cell) -> Params:
    """The parameters of a cell."""
    return settings_for(root, cell.task, cell.scale, cell.set)


def configuration_of(settings: Params, cell: Cell) -> Configuration:
    """The cell's configuration, with what `set` adds to it; InputError for a key that both decide."""
    path = "pe" if cell.configuration is None else f"cells.{cell.cell}"
    own = settings.pe if cell.configuration is None else cell.configuration
    prefix = "configuration."
    added = {key.removeprefix(prefix): value for key, value in cell.set.items() if key.startswith(prefix)}
    usual = {key for key, value in settings.pe.items() if value is None}  # params.yaml decides nothing there
    for key in own.keys() & added.keys() - (usual if cell.configuration is None else set()):
        raise InputError(
            f"{path}.{key}: {own[key]!r} given, and {added[key]!r} by {prefix}{key} in `set` or the axis; "
            "expected one of them, leave the other out"
        )
    return read_configuration(path, own | added)


def seeds_of(settings: Params, cell: Cell) -> list[int]:
    """Numbers of the cell's seeds."""
    if cell.seeds is not None:
        return cell.seeds
    return list(range(cell.first_seed, cell.first_seed + settings.training(cell.task).seeds))


def read_data(root: Path, folder: str | None, made_by: str) -> Arrays:
    """The arrays of the cell's data; nothing where the task makes up its own."""
    return {} if folder is None else artifacts.read_arrays(artifacts.require(root / folder, made_by))
