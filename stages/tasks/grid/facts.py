"""The Latin-square puzzles: parameters, positions and scores of the task `grid`."""

from math import isqrt
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from pydantic.dataclasses import dataclass
from scipy.spatial.distance import cdist

from stages.core.positions.positions import Positions
from stages.core.positions.sinusoids import REFERENCE_WIDTH, sinusoid_nd
from stages.core.settings.kinds import STRICT, Count, Fraction, Share
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.facts import Groups, Score, TaskFacts, in_splits

COMPLEXITIES = {"binary": 2, "ternary": 3, "quaternary": 4}  # relational complexity of a puzzle, and its code
OF_GIVENS = ("grid.min_givens", "grid.max_givens")  # parameters that puzzles of boxes leave unread
OF_GENERATED = (  # and files of puzzles
    *(*OF_GIVENS, "grid.min_distance", "grid.protocol"),
    *("data.puzzles_per_complexity", "data.validation_per_complexity"),
)
PUBLISHED_ORDER = 4  # of the squares in the published experiment, which people solved too


@dataclass(frozen=True, config=STRICT)
class Puzzles:
    """A researcher's own puzzle files (CSV), used instead of generated puzzles; empty: none."""

    train: list[str]
    validation: list[str]


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Section `grid` of params.yaml."""

    order: Annotated[int, Field(ge=4, le=6)]  # n of the n x n square
    min_givens: Count  # fewest and most given cells of a puzzle
    max_givens: Count
    min_distance: Annotated[float, Field(ge=0, le=1)]  # Jaccard; training puzzles lie farther from validation
    # published, even: how often puzzles have each number of givens and target cell; the others: what decides
    protocol: Literal["published", "even", "rows", "columns", "lines", "boxes"]
    held_out: Share  # of all pairs of a cell and its row or column: it decides no such target in training
    test_fraction: Fraction  # share of the generated puzzles kept for testing
    puzzles: Puzzles


@dataclass(frozen=True, config=STRICT)
class Data:
    """Sizes of the data at a scale."""

    puzzles_per_complexity: Count
    validation_per_complexity: Count


class GridFacts(TaskFacts):
    name = "grid"
    title = "Latin-square puzzles"
    settings = Settings
    data = Data
    made_by = "stages.tasks.grid.generate"
    trained_with = ("grid.order",)
    given = (Path("data/reference/lst_published_givens.csv"),)
    score = Score("validation", "accuracy", "share of validation puzzles solved", higher_is_better=True)
    scored = in_splits("accuracy", "loss", *(f"accuracy_{name}" for name in COMPLEXITIES), "seen", "new")
    # cells constrain each other exactly where they share a row or a column: that is the puzzles' rule
    references = ("same_line",)
    maps = ("grid_distance", "same_line", "sinusoid_2d")
    ordered = True
    codes = True
    group_word = "row "
    plane = "columns and rows"

    def idle(self, settings: Params) -> dict[str, str]:
        own = settings.section(self.name, Settings)
        if own.puzzles.train:
            return dict.fromkeys(OF_GENERATED, "grid.puzzles")
        return dict.fromkeys(OF_GIVENS, "grid.protocol: boxes") if own.protocol == "boxes" else {}

    def positions(self, settings: Params, data: Arrays) -> Positions:
        return square_positions(isqrt(data["validation_puzzles"].shape[1]))

    def groups(self, data: Arrays) -> Groups:
        order = isqrt(data["validation_puzzles"].shape[1])
        rows, columns = np.indices((order, order)).reshape(2, -1)
        return {"rows": rows, "columns": columns}

    def token_names(self, data: Arrays, n: int) -> list[str]:
        order = isqrt(n)
        return [f"row {cell // order}, column {cell % order}" for cell in range(n)]


FACTS = GridFacts()


def square_positions(order: int) -> Positions:
    """Place cells of an order x order square, row by row: coordinates are row and column from 0."""
    cells = np.indices((order, order)).reshape(2, -1).T.astype(np.float64)
    same_line = np.any(cells[:, None] == cells[None], axis=-1)
    sinusoids = sinusoid_nd(cells, REFERENCE_WIDTH)
    distances = {
        "grid_distance": cdist(cells, cells),
        "same_line": (~same_line).astype(np.float64),
        "sinusoid_2d": cdist(sinusoids, sinusoids),
    }
    graph = same_line & ~np.eye(len(cells), dtype=np.bool_)  # who constrains whom
    return Positions(len(cells), cells, graph.astype(np.float64), distances=distances)


def complexity_masks(codes: NDArray[np.integer]) -> dict[str, NDArray[np.bool_]]:
    """Find puzzles [N] of each relational complexity, by its name."""
    return {name: codes == code for name, code in COMPLEXITIES.items()}
