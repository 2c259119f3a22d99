"""Which tables are compared, at which initial sizes: params.yaml here."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from pydantic.dataclasses import dataclass

from stages.parameters import params
from stages.parameters.checking import check
from stages.parameters.kinds import STRICT, Count, NonNegative
from stages.parameters.params import Name

FILE = Path("stages/controls/params.yaml")
RESULTS = Path("data/controls")
TASKS = ("grid", "network", "recordings")
COLUMNS = ["task", "table", "init_std", "seed", "metric", "train", "value", "reference", "alignment"]


@dataclass(frozen=True, config=STRICT)
class Controls:
    """Section `controls` of params.yaml here."""

    seeds: Count
    init_std: Annotated[list[NonNegative], Field(min_length=1)]
    distances: dict[Name, Name]  # of each task, for mds tables
    tables: dict[Name, dict[str, Any]]  # configurations without init_std, by name


def load_controls(root: Path) -> Controls:
    """The section, checked."""
    return check(Controls, params.read(root / FILE).get("controls"), "controls")
