"""params.yaml as checked, frozen dataclasses, for every stage.

A task's own section and the sizes of its data are checked by the dataclasses in the task's facts.py.
A wrong key, type or value raises InputError with one line: the value, what was expected and the cure.
"""

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from stages.core.settings.checking import check
from stages.core.settings.errors import InputError, one_of
from stages.core.settings.kinds import STRICT, Count, Reproducible
from stages.core.settings.sizes import Model, Training
from stages.parameters.own_files import list_visible
from stages.parameters.yaml_text import parse

FILE = "params.yaml"
USUAL = "usual"  # of a scale: model and training of every task that says nothing else

Name = Annotated[str, Field(pattern="^[A-Za-z][A-Za-z0-9_]*$")]
Section = TypeVar("Section")


@dataclass(frozen=True, config=STRICT)
class Compute:
    """The kernels and threads that training computes with, for every task."""

    reproducible: Reproducible  # which kernels: stages/kernels.py
    threads: Count | None  # of the CPU in one training cell; null: as many as there are cores


@dataclass(frozen=True, config=STRICT)
class Sizes:
    """The sizes of one task at one scale; `usual` leaves out what differs between tasks."""

    data: dict[str, Any] = Field(default_factory=dict)
    model: dict[str, Any] = Field(default_factory=dict)
    training: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, config=STRICT)
class Params:
    seed: Annotated[int, Field(ge=0)]  # root of every random stream
    scale: str  # a key of scales
    device: Literal["auto", "cpu", "cuda"]
    compute: Compute
    pe: dict[str, Any]  # the configuration under study, called focus
    scales: dict[str, dict[str, Sizes]]  # sizes and durations by scale and task
    sections: dict[str, dict[str, Any]]  # the tasks' own sections

    def section(self, name: str, kind: type[Section]) -> Section:
        """Return a task's own section as its dataclass."""
        if name not in self.sections:
            raise InputError(f"{name}: missing; add it ({FILE} in version control shows its default)")
        return check(kind, self.sections[name], name)

    def data(self, task: str, kind: type[Section]) -> Section:
        """Return sizes of a task's data at the chosen scale, as its dataclass."""
        return check(kind, self.sizes(task).data, f"scales.{self.scale}.{task}.data")

    def model(self, task: str) -> Model:
        """Return sizes of a task's model at the chosen scale."""
        values = self.sizes(USUAL).model | self.sizes(task).model
        return check(Model, values, f"scales.{self.scale}.{task}.model")

    def training(self, task: str) -> Training:
        """Return a task's training at the chosen scale."""
        values = self.sizes(USUAL).training | self.sizes(task).training
        training = check(Training, values, f"scales.{self.scale}.{task}.training")
        if training.precision == "bf16" and self.compute.reproducible == "anywhere":
            raise InputError(
                f"scales.{self.scale}.{task}.training.precision: bf16 given with compute.reproducible: "
                "anywhere, which allows no processor its units for bf16; expected auto or fp32"
            )
        return training

    def sizes(self, task: str) -> Sizes:
        """Return what the chosen scale says of a task, unchecked."""
        return self.scales[self.scale].get(task, Sizes())


@cache
def task_names() -> tuple[str, ...]:
    """List every task: the folders of stages/tasks that hold a facts.py."""
    files = list_visible(Path(__file__).parents[1] / "tasks", "*/facts.py")
    return tuple(path.parent.name for path in files)


def load(path: Path = Path(FILE)) -> Params:
    """Read params.yaml and check it."""
    return from_values(read(path))


def read(path: Path) -> dict[str, Any]:
    """Read the values of a YAML file of parameters. Raises InputError for anything else."""
    if not path.is_file():
        raise InputError(f"{path} not found; run from the project's root")
    try:
        values = parse(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is not valid YAML: {error}") from None
    if not isinstance(values, dict):
        raise InputError(f"{path}: {str(values)[:80]!r} given, expected sections with their keys")
    return values


def from_values(values: dict[str, Any]) -> Params:
    """Make and check all parameters from the values of params.yaml."""
    sections = set(values).intersection(task_names())
    common = {key: value for key, value in values.items() if key not in sections}
    params = check(Params, common | {"sections": {key: values[key] for key in sections}}, "")
    if params.scale not in params.scales:
        raise InputError(
            f"scale: '{params.scale}' is not known; expected {one_of(params.scale, params.scales)}"
        )
    for scale, sizes in params.scales.items():
        for task in sizes:
            if task not in (USUAL, *task_names()):
                expected = one_of(task, [USUAL, *task_names()])
                raise InputError(f"scales.{scale}.{task}: not known; expected {expected}")
    return params
