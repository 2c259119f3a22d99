"""What each cell of a study is called and looks like, in every figure: colours by meaning, never by order."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

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
WORDS = yaml.safe_load((Path(__file__).parent / "words.yaml").read_text(encoding="utf-8"))


class Look(NamedTuple):
    """How a cell is drawn; cells of one colour differ in marker and line."""

    colour: str
    marker: str
    dash: str


def name_cell(cell: str) -> str:
    """What a reader calls a cell, a setting or a floor: s020 is σ 0.2, rate_x03 rate ×0.3."""
    if cell in WORDS:
        return str(WORDS[cell])
    text = cell.removeprefix("floor_").replace("sinusoidal_nd", "sinusoid").replace("_", " ")
    text = re.sub(r"\bs(\d\d\d)$", lambda found: f"σ {int(found[1]) / 100:g}", text)
    return re.sub(r" x(\d)", r" ×\1", re.sub(r" x0(\d)", r" ×0.\1", text))


def name_axis(study: Study) -> str:
    """What the axis varies, in words; nothing where it has settings."""
    of = study.axis.of if study.axis else None
    return "" if of is None else "σ" if of == "init_std" else of.rpartition(".")[2].replace("_", " ")


def name_side(study: Study, cell: str, at: str) -> str:
    """One side of a comparison, or of the axis where the cell is "": learned σ 0.2; σ 0.2, heads 2."""
    of = name_axis(study)
    value = f"{of} {at}" if at and of else name_cell(at)
    between = ", " if study.axis and study.axis.settings else " "
    return between.join(filter(None, [name_cell(cell), value]))


def colour_of(study: Study, cell: str) -> str:
    """By its name, what it is made of, or whose tables it is given; grey is what is not under study."""
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
    """Of each cell of the study, `focus` among them; those that its figure names come first."""
    looks: dict[str, Look] = {}
    used: dict[str, int] = {}
    for cell in dict.fromkeys([*study.figure.cells, *study.cells, "focus"]):
        colour = colour_of(study, cell)
        number = used[colour] = used.get(colour, -1) + 1
        dashes = [dash for dash in DASHES if colour != GREY or dash != "--"]  # baselines are dashed and grey
        looks[cell] = Look(colour, MARKERS[number % len(MARKERS)], dashes[number % len(dashes)])
    return looks


def assign_colours(groups: Sequence[str]) -> dict[str, str]:
    """Group of tokens -> colour, larger first, then by name; grey for `none`, a lone token, beyond seven."""
    names, sizes = np.unique(groups, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    several = [str(names[index]) for index in order if sizes[index] > 1 and names[index] != "none"]
    coloured = dict(zip(several, OF_GROUPS, strict=False))
    return {str(name): coloured.get(str(name), GREY) for name in names}
