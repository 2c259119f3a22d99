"""The cells of a study, each with all that it is trained and scored with."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic.dataclasses import dataclass as checked_dataclass

from stages.core.settings.configuration import Configuration
from stages.core.settings.kinds import STRICT
from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.studies.changes import Values

STUDIES = Path("studies")
FOLDER = Path("data/studies")  # of each study the trained cells and what data are its own
OF_SCORES = Path("data/scores")
DONORS: tuple[Literal["tables", "sized_as", "weights"], ...] = ("tables", "sized_as", "weights")


@checked_dataclass(frozen=True, config=STRICT)
class Start:
    """Whose tables a model with learned tables starts from, seed by seed."""

    tables: str  # a cell of this study; in an expanded cell its label, as below
    state: Literal["initial", "final"] = "final"  # before or after that cell's training
    exchanged: bool = False  # rows given to other tokens, by one shuffle per seed
    sized_as: str | None = None  # scaled to the size of this cell's final tables, seed by seed
    weights: str | None = None  # all other weights are those that this cell ended with; null: drawn anew
    frozen: bool = False  # the tables stay as they are

    def donors(self) -> dict[str, str]:
        """Name the cell that each part of the start comes from."""
        return {part: donor for part in DONORS if (donor := getattr(self, part))}


@dataclass(frozen=True)
class Data:
    """Data of a task: the task's usual ones, or a study's own, under changed parameters."""

    task: str
    folder: Path  # under the project's root
    settings: Params


@dataclass(frozen=True)
class Cell:
    """One configuration on one task, under changed parameters: all its seeds train as one stack."""

    label: str  # names it in its study, and its folder: grid-learned-0_2
    task: str
    name: str  # in the study, as `learned`
    at: str  # value of the axis; "" without one
    configuration: Configuration
    settings: Params
    seeds: tuple[int, ...]
    data: Path | None  # folder under the project's root; None where the task makes up its own
    changes: Values  # of the study, the cell and the axis
    is_focus: bool  # its configuration is `pe` of params.yaml
    trained: bool = True
    start: Start | None = None

    def donors(self) -> dict[str, str]:
        """Name the label of the cell that each part of a start comes from."""
        return self.start.donors() if self.start else {}


@dataclass(frozen=True)
class Baselines:
    """Predictions without a model from some data, which several values of the axis may share."""

    task: str
    data: Path
    settings: Params
    at: tuple[str, ...]
    changes: Values


@dataclass(frozen=True)
class Expanded:
    """Everything that a study needs, each by its label."""

    cells: dict[str, Cell]
    usual: dict[str, Data]  # by task
    own: dict[str, Data]
    baselines: dict[str, Baselines]


def cell_folder(root: Path, study: str, label: str) -> Path:
    return root / FOLDER / study / "cells" / label


def read_data(root: Path, folder: Path | None) -> Arrays:
    """Read the arrays of a cell's data; nothing where the task makes up its own."""
    if folder is None:
        return {}
    return artifacts.read_arrays(artifacts.require(root / folder, f"stages data {folder.name}"))
