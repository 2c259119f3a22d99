"""Colours of tokens by their group."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures.style import AMBER, BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, SMALL

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, AMBER, BLACK)


def assign_colours(groups: Sequence[str]) -> dict[str, str]:
    """Group -> colour, larger groups first, then by name; grey for a token alone and beyond seven groups."""
    names, sizes = np.unique(groups, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    several = [str(names[index]) for index in order if sizes[index] > 1]
    coloured = dict(zip(several, COLOURS, strict=False))
    return {str(name): coloured.get(str(name), GREY) for name in names}


def legend(figure: Figure, colours: Mapping[str, str], corner: tuple[float, float]) -> None:
    """Right of and below `corner`: a mark per group that has a colour of its own, and one for all others."""
    named = {name: colour for name, colour in colours.items() if colour != GREY}
    others = {"none of these": GREY} if GREY in colours.values() else {}
    marks = [
        Line2D([], [], color=colour, marker="o", ms=4, lw=0, label=name)
        for name, colour in (named | others).items()
    ]
    close: dict[str, Any] = {"borderpad": 0, "handletextpad": 0.2, "fontsize": SMALL}
    figure.legend(handles=marks, loc="upper left", bbox_to_anchor=corner, **close)
