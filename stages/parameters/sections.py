"""Sections of params.yaml about what is computed, as frozen dataclasses."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from stages.parameters.kinds import STRICT, Count, Fraction, NonNegative, Positive, Precision


@dataclass(frozen=True, config=STRICT)
class Compute:
    """How training computes, whatever the task."""

    precision: Precision  # of the matrix products in training
    threads: Count | None  # of the CPU in one training cell; null: as many as there are cores


@dataclass(frozen=True, config=STRICT)
class Puzzles:
    """A researcher's own puzzle files (CSV), used instead of generated puzzles; empty: none."""

    train: list[str]
    validation: list[str]


@dataclass(frozen=True, config=STRICT)
class Grid:
    order: Annotated[int, Field(ge=4, le=6)]
    min_givens: Count
    max_givens: Count
    min_distance: Annotated[float, Field(ge=0, le=1)]
    test_fraction: Fraction
    puzzles: Puzzles


@dataclass(frozen=True, config=STRICT)
class Network:
    graph: Literal["modular", "ring", "lattice_2d", "lattice_3d", "file"]
    nodes: Annotated[int, Field(ge=2)]
    communities: Count
    between_weight: NonNegative
    between_degree: NonNegative
    adjacency: str | None
    spectral_radius: NonNegative
    gain: NonNegative
    noise: NonNegative
    tau_s: Positive
    dt_s: Positive
    sample_every_s: Positive
    stepper: Literal["euler_maruyama", "heun"]
    mask_fraction: Fraction


@dataclass(frozen=True, config=STRICT)
class Recordings:
    # pip is given these two: no option, path or address
    package: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    version: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.!+_-]*$")]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    regions: Literal["cortical80", "all"]
    validation_subjects: Annotated[list[str], Field(min_length=1)]
    ridge: NonNegative
    mask_fraction: Fraction
