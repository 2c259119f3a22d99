"""params.yaml sections as frozen dataclasses: the ground every stage stands on.

A wrong key, type or value raises ValueError with one line naming the value, what was expected and the cure.
"""

import json
from dataclasses import field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from stages.parameters.kinds import STRICT
from stages.parameters.scales import Scale
from stages.parameters.sections import Compute, Grid, Network, Recordings

TASKS = ("grid", "network", "recordings", "probe", "identification", "even_tokens")

LARGEST = 10**6  # values and letters in params.yaml, aliases written out; a few lines could fill the memory
Name = Annotated[str, Field(pattern="^[A-Za-z][A-Za-z0-9_]*$")]
Configurations = dict[Name, dict[str, Any]]
Changes = dict[Name, dict[str, Any]]
Section = TypeVar("Section")


@dataclass(frozen=True, config=STRICT)
class Architecture:
    """How the model around an encoding is built; null: the usual choice."""

    where: Literal["every_block", "input"] | None = None  # a table is added; null: before every block
    normaliser: Literal["softmax", "l2", "exp_mean", "relu2_mean"] | None = None  # null: the block's own
    block: Literal["post_norm", "gau"] = "post_norm"
    markers: Literal["none", "cls", "cls_sep"] = "none"  # tokens before, or before and behind, the task's
    extra_hidden: Annotated[int, Field(ge=0)] = 0  # units more in every MLP, to make parameter counts equal

    def __post_init__(self) -> None:
        if self.extra_hidden and self.block == "gau":
            raise ValueError("extra_hidden with block post_norm: a gated attention unit has no MLP")


@dataclass(frozen=True)
class Configuration:
    """A positional-encoding configuration as written; the scheme itself checks its settings."""

    path: str  # where it stands in params.yaml
    scheme: Any
    settings: dict[str, Any]
    architecture: Architecture = Architecture()


@dataclass(frozen=True, config=STRICT)
class Sweep:
    """Reference configurations of each task by name."""

    grid: Configurations = field(default_factory=dict)
    network: Configurations = field(default_factory=dict)
    recordings: Configurations = field(default_factory=dict)
    probe: Configurations = field(default_factory=dict)
    identification: Configurations = field(default_factory=dict)
    even_tokens: Configurations = field(default_factory=dict)


@dataclass(frozen=True, config=STRICT)
class Variations:
    """Configurations compared under other settings, and those settings by task and name (stages/vary.py)."""

    compared: Configurations
    grid: Changes = field(default_factory=dict)
    network: Changes = field(default_factory=dict)
    recordings: Changes = field(default_factory=dict)


@dataclass(frozen=True, config=STRICT)
class Transplant:
    """A trained configuration's tables in another model, which is then trained (stages/transplant.py)."""

    donor: Name  # of the tables
    tables: Literal["final", "initial", "permuted"]  # after or before training; after, rows exchanged
    host: Name  # the configuration of the model that gets them
    weights: Literal["fresh", "trained"]  # of the host, outside its tables
    frozen: bool  # the tables stay as they are


@dataclass(frozen=True, config=STRICT)
class Params:
    seed: Annotated[int, Field(ge=0)]
    scale: str
    device: Literal["auto", "cpu", "cuda"]
    compute: Compute
    pe: dict[str, Any]
    sweep: Sweep
    variations: Variations
    transplants: dict[Name, Transplant]
    grid: Grid
    network: Network
    recordings: Recordings
    scales: dict[str, Scale]

    @property
    def sizes(self) -> Scale:
        """Sizes and durations of the chosen scale."""
        return self.scales[self.scale]

    def configuration(self, task: str, name: str) -> Configuration:
        """A task's configuration of that name: an entry of its sweep, or `focus` for `pe` (null: default)."""
        if name not in self.configurations(task):
            known = ", ".join(self.configurations(task))
            raise ValueError(f"configuration '{name}' of {task} is not known; expected one of {known}")
        own = getattr(self.sweep, task)
        path, values = ("pe", self.pe) if name == "focus" else (f"sweep.{task}.{name}", own[name])
        given = {key: value for key, value in values.items() if value is not None}
        of_model = {one.name for one in fields(Architecture)}
        architecture = check(Architecture, {key: given[key] for key in given if key in of_model}, path)
        settings = {key: given[key] for key in given if key not in {"scheme", *of_model}}
        return Configuration(path, given.get("scheme"), settings, architecture)

    def configurations(self, task: str) -> list[str]:
        """Names of a task's configurations, the one under study first."""
        return ["focus", *getattr(self.sweep, task)]


def check(section: type[Section], values: Any, name: str) -> Section:
    """`values` as the frozen dataclass `section`; `name` is its path in params.yaml."""
    try:
        # JSON mode: strict about numbers and text, yet a nested mapping may become a dataclass
        return TypeAdapter(section).validate_json(json.dumps(values, default=str))
    except ValidationError as error:
        raise ValueError(_one_line(error, name)) from None


def written_out(value: Any, sizes: dict[int, int]) -> int:
    """Values and letters in `value` with its aliases written out; `sizes` holds those of what was seen."""
    if id(value) not in sizes:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        own = len(value) if isinstance(value, str) else 1
        sizes[id(value)] = own + sum(written_out(one, sizes) for one in inside)
    return sizes[id(value)]


def load(path: Path = Path("params.yaml")) -> Params:
    """All of params.yaml, checked."""
    if not path.is_file():
        raise ValueError(f"{path} not found; run from the project's root")
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
        if (size := written_out(values, {})) > LARGEST:
            raise ValueError(f"its aliases (*name) stand for {size} values, expected at most {LARGEST}")
        json.dumps(values, default=str)  # as `check` does: no key that is a date or a number too long
    except Exception as error:  # wrong tags fail in many ways inside yaml, nesting in recursion
        raise ValueError(f"{path} is not valid YAML: {' '.join(str(error).split())}") from None
    params = check(Params, values, "")
    if params.scale not in params.scales:
        raise ValueError(f"scale: '{params.scale}' is not known; expected one of {sorted(params.scales)}")
    for task in TASKS:
        if "focus" in getattr(params.sweep, task):
            raise ValueError(
                f"sweep.{task}.focus: the name is taken by the configuration under `pe`; rename it"
            )
    return params


def _one_line(error: ValidationError, name: str) -> str:
    first = error.errors(include_url=False)[0]
    key = ".".join([name] * bool(name) + [str(part) for part in first["loc"]]) or "params.yaml"
    match first["type"]:
        case "unexpected_keyword_argument":
            return f"{key}: unknown key; remove it or correct its spelling"
        case "missing" | "missing_argument":
            return f"{key}: missing; add it (params.yaml in version control shows its default)"
        case _:
            expected = first["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
            return f"{key}: {first['input']!r} given, expected {expected}"
