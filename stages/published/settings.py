"""Which models the published experiment trains, and how: params.yaml here."""

import argparse
from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from pydantic.dataclasses import dataclass

from stages.parameters import params
from stages.parameters.checking import check
from stages.parameters.kinds import STRICT, Positive, Precision
from stages.parameters.params import Configuration, Name, Params, read_configuration

TASK, SCALE = "grid", "paper"
FILE = Path("stages/published/params.yaml")
RESULTS = Path("data/published")
PUZZLES = RESULTS / "puzzles.npz"
MODELS = RESULTS / "models"  # a folder per run and seed

Seeds = Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1)]


@dataclass(frozen=True, config=STRICT)
class Run:
    """One row of the published table."""

    configuration: dict[str, Any]
    training: dict[str, Any] = field(default_factory=dict)  # what differs from `training` of all
    precision: Precision = "bf16"  # of matrix products


@dataclass(frozen=True, config=STRICT)
class Published:
    """Section `published` of params.yaml here."""

    most_seeds: Seeds
    few_seeds: Seeds
    training: dict[str, Any]  # what differs from scales.paper
    margin: Positive  # of accuracy
    most: dict[Name, Run]
    few: dict[Name, Run]

    @property
    def runs(self) -> dict[str, tuple[Run, list[int]]]:
        """Each run with its seeds."""
        most = {name: (run, self.most_seeds) for name, run in self.most.items()}
        return most | {name: (run, self.few_seeds) for name, run in self.few.items()}

    def find(self, name: str) -> Run:
        """The run of that name, else ValueError."""
        if name not in self.runs:
            raise ValueError(f"{FILE}: run {name!r} is not known; expected one of {', '.join(self.runs)}")
        return self.runs[name][0]


def load_published(root: Path) -> Published:
    """The section, checked."""
    published = check(Published, params.read(root / FILE).get("published"), "published")
    if twice := set(published.most) & set(published.few):
        raise ValueError(f"{FILE}: {sorted(twice)} stand in most and in few; remove them from one")
    return published


def at_published_size(settings: Params) -> Params:
    """The settings at the published size, whatever their scale."""
    return replace(settings, scale=SCALE)


def settings_for(settings: Params, published: Published, name: str) -> tuple[Params, Configuration]:
    """What a run is trained under, one seed at a time, and its configuration."""
    run = published.find(name)
    sizes = settings.sizes(TASK)
    of_run = run.training | {"seeds": 1, "precision": run.precision}
    changed = replace(sizes, training=sizes.training | published.training | of_run)
    scales = settings.scales | {settings.scale: settings.scales[settings.scale] | {TASK: changed}}
    configuration = read_configuration(f"published.{name}.configuration", run.configuration)
    return replace(settings, scales=scales), configuration


def read_command(description: str | None) -> tuple[Path, str, int]:
    """Where, which run and which seed, as a stage of one seed is asked for it."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--run", required=True, help=f"a name in {FILE}")
    parser.add_argument("--seed", required=True, type=int)
    chosen = parser.parse_args()
    return Path(), chosen.run, chosen.seed
