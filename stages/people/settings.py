"""Who donates tables, at which shares of hidden regions, how often: params.yaml here."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from stages.parameters import params
from stages.parameters.checking import check
from stages.parameters.kinds import STRICT, Count, Fraction, NonNegative
from stages.parameters.params import Params

TASK = "recordings"
FILE = Path("stages/people/params.yaml")
RESULTS = Path("data/people")
KINDS = ("learned", "exchanged", "functional", "gradients", "random", "own")  # of the hosts' tables
FLOORS = ("floor_hosts", "floor_everyone")  # Gaussian, fitted to hosts; to donors and hosts
COLUMNS = ["fraction", "kind", "seed", "train", "value"]


@dataclass(frozen=True, config=STRICT)
class People:
    """Section `people` of params.yaml here."""

    seeds: Count
    donors: Count  # the first of the training people; the others are hosts
    init_std: NonNegative  # of learned tables
    mask_fraction: Annotated[list[Fraction], Field(min_length=1)]


def load_people(root: Path) -> People:
    """The section, checked."""
    return check(People, params.read(root / FILE).get("people"), "people")


def at_fraction(settings: Params, people: People, fraction: float) -> Params:
    """The settings with that share of regions hidden. Raises ValueError for one that is not listed."""
    if fraction not in people.mask_fraction:
        known = ", ".join(f"{each:g}" for each in people.mask_fraction)
        raise ValueError(f"{FILE}: mask fraction {fraction:g} is not known; expected one of {known}")
    section = settings.sections[TASK] | {"mask_fraction": fraction}
    return replace(settings, sections=settings.sections | {TASK: section})


def result(root: Path, fraction: float) -> Path:
    """The table of one share of hidden regions."""
    return root / RESULTS / f"{fraction:g}.csv"
