"""Describe a task for stages that compare, draw or report it: no model, no training and no scoring.

A task is a folder of stages/tasks. Its facts.py defines `FACTS`, an object of a subclass of TaskFacts, and
the dataclasses of its parameters. interface.py describes its task.py, scoring/interface.py its scoring.py.
"""

from abc import ABC, abstractmethod
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stages.core.positions.positions import Positions
from stages.core.settings.errors import InputError, one_of
from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.parameters import params
from stages.parameters.own_files import explained
from stages.parameters.params import Params

SPLITS = ("train", "test", "validation")
FOLDER = Path(__file__).parent
DATA = Path("data/tasks")  # a folder per task that has data, under the project's root
Groups = dict[str, NDArray[Any]]  # name -> each token's group [n]


def in_splits(*metrics: str, splits: Sequence[str] = SPLITS) -> tuple[str, ...]:
    """Write split/metric, each metric in every split."""
    return tuple(f"{split}/{metric}" for split in splits for metric in metrics)


@dataclass(frozen=True)
class Score:
    """The number that stands for a task, in the split that judges it."""

    split: str
    metric: str
    unit: str  # in words, for figures and the report
    higher_is_better: bool

    @property
    def better(self) -> str:
        """Say which scores are better, in words."""
        return "higher is better" if self.higher_is_better else "lower is better"


class Arrangement(NamedTuple):
    """Tokens [n] in drawing order, and the name of each token's group in that order, "" for none."""

    tokens: list[int]
    groups: list[str]


class TaskFacts(ABC):
    """A task's facts; a subclass names its own and overrides what holds for it."""

    name: ClassVar[str]  # of its folder here, its section of params.yaml and its rows in tables
    title: ClassVar[str]  # in figures and the report
    data: ClassVar[type]  # dataclass of its sizes at a scale
    settings: ClassVar[type | None] = None  # dataclass of its own section of params.yaml
    made_by: ClassVar[str] = ""  # the module that writes its data; "": it makes up its own
    score: ClassVar[Score]
    scored: ClassVar[tuple[str, ...]]  # every split/metric that its scoring.py may give: `in_splits`
    references: ClassVar[tuple[str, ...]]  # alignment is judged by the first that the positions have
    maps: ClassVar[tuple[str, ...]] = ()  # references drawn as similarity maps
    further_references: ClassVar[tuple[str, ...]] = ()  # that the positions may have besides
    given: ClassVar[tuple[Path, ...]] = ()  # what `made_by` reads beside params.yaml
    trained_with: ClassVar[tuple[str, ...]] = ()  # parameters of its section that training reads
    scored_with: ClassVar[tuple[str, ...]] = ()  # and scoring
    floors: ClassVar[tuple[str, ...]] = ()  # predictions without a model that its scoring.py may score
    in_line: ClassVar[bool] = False  # tokens stand in a row: no maps are made of them
    ordered: ClassVar[bool] = False  # tokens have an index that means something
    in_brain: ClassVar[bool] = False  # coordinates are mm in the brain (MNI), drawn on a glass brain
    codes: ClassVar[bool] = False  # several contents that a table is added to, so that they can be read back
    group_word: ClassVar[str] = ""  # before a group's number in figures
    plane: ClassVar[str] = ""  # what the two axes of a map of the tokens are

    def check_parameters(self, params: Params) -> None:
        """Raise InputError, one line, where the task's section or sizes are not what its dataclasses say."""
        params.data(self.name, self.data)
        if self.settings is not None:
            params.section(self.name, self.settings)

    def idle(self, settings: Params) -> dict[str, str]:
        """Name parameters that no cell can be varied by, as network.nodes, each with what makes it idle."""
        return {}

    def needs_causal(self, settings: Params) -> str:
        """Name the setting by which tokens are asked for what later ones hold; "" where none says so."""
        return ""

    def read_data(self, root: Path) -> Arrays:
        """Read the arrays of its data folder, large ones mapped. Raises InputError if they were not made."""
        if not self.made_by:
            return {}
        return artifacts.read_arrays(artifacts.require(root / DATA / self.name, f"stages data {self.name}"))

    @abstractmethod
    def positions(self, settings: Params, data: Arrays) -> Positions:
        """Return what is truly known of the tokens."""

    def groups(self, data: Arrays) -> Groups:
        """Return each token's group by what groups them; the first is drawn."""
        return {}

    def arrange(self, data: Arrays, n: int) -> Arrangement:
        """Order the n tokens as maps show them: by their first group."""
        groups = next(iter(self.groups(data).values()), None)
        if groups is None:
            return Arrangement(list(range(n)), [""] * n)
        tokens = np.argsort(groups, kind="stable").tolist()
        return Arrangement(tokens, [f"{self.group_word}{groups[token]}" for token in tokens])

    def token_names(self, data: Arrays, n: int) -> list[str]:
        """Name each of the n tokens for a reader."""
        return [f"token {index}" for index in range(n)]

    def judging_reference(self, names: Container[str]) -> str:
        """Return the reference by which alignment is judged, of those there are; "" where there is none."""
        return next((reference for reference in self.references if reference in names), "")


@cache
def find_facts(task: str) -> TaskFacts:
    """Find the facts of the task of that name. Raises InputError if there is no such folder."""
    if task not in params.task_names():
        raise InputError(f"task '{task}' is not known; expected {one_of(task, params.task_names())}")
    facts = find_part(task, "facts", "FACTS")
    place = f"stages/tasks/{task}/facts.py"
    if not isinstance(facts, TaskFacts):
        raise InputError(f"{place}: FACTS is {facts!r}, expected an object of a subclass of TaskFacts")
    for name in ("name", "title", "data", "score", "scored", "references"):
        if not hasattr(facts, name):
            raise InputError(
                f"{place}: its class has no {name}; add it (stages/tasks/facts.py says what it is)"
            )
    if facts.name != task:
        raise InputError(f"{place}: name '{facts.name}' given, expected that of its folder, {task}")
    return facts


def find_part(task: str, part: str, name: str) -> Any:
    """Find what a file of a task's folder defines under a name.

    Raises InputError with the line of a mistake in it.
    """
    place = f"stages/tasks/{task}/{part}.py"
    with explained(place, FOLDER / task / f"{part}.py"):
        module = import_module(f"stages.tasks.{task}.{part}")
    if not hasattr(module, name):
        raise InputError(f"{place}: no {name}; add it, as in stages/tasks/network/{part}.py")
    return getattr(module, name)
