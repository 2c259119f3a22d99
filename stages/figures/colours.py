"""Choose how each cell of a study looks, in every figure: colours by meaning, never by order."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from stages.studies.schema import Study

# Okabe and Ito's colours, told apart by colour-blind readers (Wong 2011, Nature Methods 8, 441)
BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, AMBER, BLACK = "#56B4E9", "#E69F00", "#000000"
GREY, LIGHT = "#707070", "#dddddd"

OF_SCHEME = {"learned": BLUE, "mds": GREEN, "random_fixed": ORANGE}
OF_SCHEME |= {"sinusoidal_1d": SKY, "sinusoidal_nd": SKY}
OF_NAME = {"focus": BLUE, "aligned": GREEN, "exchanged": PURPLE, "random": ORANGE}
OF_GROUPS = (BLUE, ORANGE, GREEN, PURPLE, SKY, AMBER, BLACK)
# of means that others published
THEIRS: dict[str, Any] = dict(color=BLACK, mfc="white", mew=0.8, elinewidth=0.6, ls="", marker="o")
MARKERS, DASHES = "os^Dv", ("-", "--", "-.", ":")


class Look(NamedTuple):
    """The look of a cell; cells of one colour differ in marker and line."""

    colour: str
    marker: str
    dash: str


def colour_of(study: Study, cell: str) -> str:
    """Choose a cell's colour from its name, its encoding, or the cell that gave it its table.

    Cells that are not under study are grey.
    """
    configuration = study.cells.get(cell, {})
    start = configuration.get("start") or {}
    if configuration.get("exchanged") or start.get("exchanged"):
        return PURPLE
    if start.get("frozen") and start.get("state") == "initial":
        return ORANGE
    if cell in OF_NAME:
        return OF_NAME[cell]
    if start.get("tables") in study.cells:
        return colour_of(study, start["tables"])
    return OF_SCHEME.get(str(configuration.get("scheme")), GREY)


def list_looks(study: Study) -> dict[str, Look]:
    """List the look of each cell of the study and of `focus`; cells that its figure names come first."""
    looks: dict[str, Look] = {}
    used: dict[str, int] = {}
    for cell in dict.fromkeys([*study.figure.cells, *study.cells, "focus"]):
        colour = colour_of(study, cell)
        number = used[colour] = used.get(colour, -1) + 1
        dashes = [dash for dash in DASHES if colour != GREY or dash != "--"]  # baselines are dashed and grey
        looks[cell] = Look(colour, MARKERS[number % len(MARKERS)], dashes[number % len(dashes)])
    return looks


def assign_colours(groups: Sequence[str]) -> dict[str, str]:
    """Choose the colour of each group of tokens.

    Larger groups choose first, ties by name. The group `none`, groups of one token and all after the seventh
    are grey.
    """
    names, sizes = np.unique(groups, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    several = [str(names[index]) for index in order if sizes[index] > 1 and names[index] != "none"]
    coloured = dict(zip(several, OF_GROUPS, strict=False))
    return {str(name): coloured.get(str(name), GREY) for name in names}
