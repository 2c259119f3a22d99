"""A study: a question, cells that answer it, what is compared and what is claimed; studies/<name>.yaml."""

import re
from dataclasses import field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic.dataclasses import dataclass

from stages.parameters.errors import InputError
from stages.parameters.kinds import STRICT, Count, Positive
from stages.parameters.params import Name
from stages.studies.cells import STUDIES, Start, Values

Expected = Literal["better", "worse", "above", "below"]  # that a test expects
METRICS = ("score", "train", "alignment")  # or split/metric
REFERENCES = ("index", "square")  # true places that a fetched table is compared with, as its `at`
CHANCE = ("_shuffled", "_random")  # behind a fetched table's name: its rows at other places, a random table
# beside scores and alignment: stages/studies/measuring.py; curves: over epochs
Measure = Literal["read_back", "read_out", "locality", "attention", "theory", "curves"]
SOURCES = Literal["Ito", "Su", "Vaswani", "Wang & Chen", "Luo", "ours"]


def check_metric(name: str) -> str:
    """The name of a metric; InputError for one that is neither known nor a split with a metric."""
    if name not in METRICS and not re.fullmatch(r"\w+/\w+", name):
        near = get_close_matches(name, METRICS, n=1)
        raise InputError(near[0] if near else f"{', '.join(METRICS)} or split/metric, as validation/new")
    return name


Metric = Annotated[str, AfterValidator(check_metric)]


def check_numbers(values: Any) -> Any:
    """InputError for what is no list of numbers: pydantic would say that a word is no integer."""
    numbers = isinstance(values, list) and all(type(value) in (int, float) for value in values)
    if not numbers:
        raise InputError("a list of numbers; vary anything else by settings: {name: changes}")
    return values


def check_expected(value: Any) -> Any:
    """InputError for what no test can expect."""
    margin: Any = value.get("within") if isinstance(value, dict) and len(value) == 1 else None
    if value not in get_args(Expected) and not (type(margin) in (int, float) and margin > 0):
        raise InputError(f"{', '.join(get_args(Expected))} or {{within: a number above 0}}")
    return value


@dataclass(frozen=True, config=STRICT)
class Axis:
    """What every cell is varied along: one key of its configuration or one parameter, or named settings."""

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
    """How a study is drawn."""

    kind: Literal["lines", "rows", "tables"]
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
            raise InputError(f"two different cells in a pair, not '{same[0]}' beside itself")

    def list_pairs(self) -> list[tuple[str, str]]:
        """Every pair (a, b) of a - b."""
        listed = [(a, b) for a, b in self.pairs]
        return listed if self.first is None else [*listed, *((self.first, b) for b in self.against)]


@dataclass(frozen=True, config=STRICT)
class Within:
    """Equal up to a margin, by two one-sided tests (Schuirmann 1987, doi 10.1007/BF01068419)."""

    within: Positive


@dataclass(frozen=True, config=STRICT)
class Test:
    """One comparison of a claim. A cell is named `learned`, or `learned@0.2` at one value of the axis."""

    a: str
    task: Name | Literal[""] = ""  # "": the study is one of fetched tables
    b: str | None = None  # another cell or a floor
    than: float | None = None  # in place of b, a constant
    published: bool = False  # in place of b, what `beside` says was published
    at: list[float | str] = field(default_factory=list)  # values of the axis; none: all that both have
    over: Literal["seeds", "axis"] = "seeds"  # what is counted; axis: its values, each the mean of its seeds
    metric: Metric = "score"
    expect: Annotated[Expected | Within, BeforeValidator(check_expected)] = "better"

    def __post_init__(self) -> None:
        if (self.b is not None) + (self.than is not None) + self.published != 1:
            raise InputError("one of b, than, published")
        if self.over == "axis" and (self.b is None or "@" in f"{self.a}{self.b}"):
            raise InputError("a and b without @, as over: axis counts every value of the axis")
        if self.at and "@" in self.a and "@" in (self.b or "@"):
            raise InputError("either `at`, or values of the axis behind @")
        is_score = self.metric in ("score", "train") or self.metric.endswith(("/seen", "/new"))
        if self.expect in ("better", "worse") and not is_score:
            raise InputError(f"`above` or `below`, as neither end of {self.metric} is better")

    @property
    def other(self) -> str:
        """The second cell, or what stands in its place."""
        return self.b if self.b is not None else "published" if self.published else f"{self.than:g}"

    @property
    def expected(self) -> str:
        """What is expected, in a word or two: better, within 0.05."""
        return f"within {self.expect.within:g}" if isinstance(self.expect, Within) else self.expect


@dataclass(frozen=True, config=STRICT)
class Claim:
    """A sentence that a person wrote, and the tests that it stands or falls with: all must hold."""

    says: str
    source: SOURCES
    stated: Literal["before", "after"]  # before: in git before the later of the scores that a test compares
    tests: Annotated[list[Test], Field(min_length=1)]
    main: bool = False  # shown in README


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
    about: str = ""  # what a reader should know besides
    scale: str | None = None  # of params.yaml; null: the one chosen there
    focus: bool = False  # the configuration `pe` of params.yaml is a cell too
    seeds: Count | None = None  # null: as many as the scale says
    seeds_apart: bool = False  # a seed is a stage, for long ones; scores of each are in git
    set: Values = field(default_factory=dict)
    axis: Axis | None = None
    measures: list[Measure] = field(default_factory=list)
    compare: dict[Name, Comparison] = field(default_factory=dict)
    beside: str | None = None  # a table of published means, data/reference/
    claims: dict[Name, Claim] = field(default_factory=dict)

    @property
    def scored(self) -> list[str]:
        """What rows of its tables of scores are of: its tasks, or "" of fetched tables."""
        return self.tasks or [""]

    def list_cells(self) -> list[str]:
        """Cells in its table of scores, without floors; of each fetched table also what stands for chance."""
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


def list_studies(root: Path) -> list[str]:
    """Names of all studies, those that `dvc repro` runs first."""
    names = sorted(path.stem for path in (root / STUDIES).glob("*.yaml"))
    return sorted(names, key=lambda name: name not in DEFAULT)


DEFAULT = ("sigma", "probe")  # what `dvc repro` runs
