"""The entries of `transplants` in params.yaml here, checked."""

from pathlib import Path
from typing import Literal

from pydantic.dataclasses import dataclass

from stages.parameters.checking import check
from stages.parameters.kinds import STRICT
from stages.parameters.params import Name, read

FILE = Path("stages/transplants/params.yaml")


@dataclass(frozen=True, config=STRICT)
class Transplant:
    """An entry of `transplants` in params.yaml here."""

    donor: Name  # of the tables
    tables: Literal["final", "initial", "permuted"]  # after or before training; after, rows exchanged
    host: Name  # the configuration of the model that gets them
    weights: Literal["fresh", "trained"]  # of the host, outside its tables
    frozen: bool  # the tables stay as they are


@dataclass(frozen=True, config=STRICT)
class Transplants:
    transplants: dict[Name, Transplant]


def load_transplants(root: Path) -> dict[str, Transplant]:
    """Every transplant by name, checked."""
    return check(Transplants, read(root / FILE), "").transplants
