"""Claims on the fixed sinusoid (Vaswani et al. 2017, arXiv 1706.03762, 3.5), and learned tables beside it."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import style
from stages.figures.sigma_axis import Sigmas
from stages.figures.similarity_maps import draw_map
from stages.figures.style import GREY, LIGHT, SERIES, SMALL
from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix
from stages.tasks.facts import Arrangement, find_facts

SINUSOID = "sinusoidal_1d"
MARKS = 16  # at most, of a width's pairs of columns
HEIGHT = 5.8  # inches
UPPER = {"left": 0.08, "right": 0.97, "top": 0.94, "bottom": 0.57, "wspace": 0.25}
LOWER = {"left": 0.08, "right": 0.94, "top": 0.41, "bottom": 0.15, "wspace": 0.12}


def draw(
    claims: pd.DataFrame, aligned: pd.DataFrame, similarity: Arrays, sigmas: Sigmas, setting: str
) -> Figure:
    """Wavelengths, residuals of shifts, and maps of the sinusoid and of the learned table of smallest sigma.

    claims: fixed_encodings.csv; aligned: alignment.csv; similarity: `<task>__<configuration>`, [n, n], those
    of tasks of words are drawn where there are some.
    """
    n = int(claims.n.max())
    figure = Figure(figsize=(style.WIDTH, HEIGHT))
    left, right = figure.subplots(1, 2, gridspec_kw=UPPER)
    draw_wavelengths(left, claims[claims.kind == "wavelength"])
    draw_residuals(right, claims[claims.kind == "residual"], n)
    draw_maps(figure, list(list_maps(aligned, similarity, sigmas)))
    return style.annotate(figure, "fixed_encodings", setting=setting, n=n)


def draw_wavelengths(axes: Axes, waves: pd.DataFrame) -> None:
    """The formula as a line through what was measured of each pair of columns."""
    look: dict[str, Any] = {"ms": 4, "mfc": "none", "mew": 1, "lw": 0}
    for (width, pairs), (colour, marker) in zip(waves.groupby("width"), SERIES, strict=False):
        share = 2 * pairs["at"] / pairs.width
        axes.plot(share, pairs.formula, color=GREY, lw=0.8, zorder=1)
        every = slice(None, None, -(-len(pairs) // MARKS))
        axes.plot(share[every], pairs.measured[every], marker, color=colour, label=f"d = {width}", **look)
    axes.set(yscale="log", xlabel="pair of columns, 2i/d", ylabel="wavelength (tokens)")
    axes.set_title("wavelengths: measured, and formula")
    for level, name in ((2 * np.pi, "2\u03c0"), (2e4 * np.pi, "10000 \u00b7 2\u03c0")):
        axes.axhline(level, color=GREY, ls=":", lw=0.8, zorder=0)
        axes.annotate(name, (0.99, level), color=GREY, fontsize=SMALL, ha="right", va="bottom")
    axes.legend(fontsize=SMALL, loc="center left")


def draw_residuals(axes: Axes, residuals: pd.DataFrame, n: int) -> None:
    """Residuals against the offset, those of exactly 0 left out, and how finely float64 tells numbers apart.

    Both the sines, at most 1, and the angles, at most n - 1, are rounded.
    """
    finest, coarsest = np.spacing(1.0), np.spacing(n - 1.0)
    axes.axhspan(finest, coarsest, color=LIGHT, lw=0, zorder=0)
    look: dict[str, Any] = {"color": GREY, "fontsize": SMALL, "ha": "center", "va": "top"}
    axes.annotate(f"grey: float64 spacing, at 1 to at {n - 1}", (0, finest / 2), **look)
    for (width, rows), (colour, marker) in zip(residuals.groupby("width"), SERIES, strict=False):
        axes.plot(rows["at"], rows.measured, marker, color=colour, ms=2.5, mew=0, label=f"d = {width}")
    axes.set(yscale="log", xlabel="offset k (tokens)", ylim=(1e-17, 1e-11))
    axes.set_title("largest |P[p+k] \u2212 M\u2096 P[p]|")
    axes.legend(fontsize=SMALL, loc="upper right", markerscale=2, ncols=4)


def draw_maps(figure: Figure, maps: Sequence[tuple[str, Matrix]]) -> None:
    """Maps [n, n] under their titles, or why there are none."""
    if not maps:
        middle = (LOWER["bottom"] + LOWER["top"]) / 2
        figure.text(0.5, middle, "no table of a task of words in this sweep", color=GREY, ha="center")
        return
    spacing: dict[str, Any] = {"width_ratios": [1] * len(maps) + [0.06], **LOWER}
    *panels, beside = figure.subplots(1, len(maps) + 1, gridspec_kw=spacing)
    for axes, (title, matrix) in zip(panels, maps, strict=True):
        tokens = Arrangement(list(range(len(matrix))), [""] * len(matrix))
        image = draw_map(axes, matrix, title, tokens, named=False)
    bar = figure.colorbar(image, beside, ticks=[-1, 0, 1], format="%d")
    bar.set_label("cosine similarity", fontsize=SMALL)


def list_maps(aligned: pd.DataFrame, similarity: Arrays, sigmas: Sigmas) -> Iterator[tuple[str, Matrix]]:
    """Of each task of words the map of its sinusoid, then that of its learned table of smallest sigma."""
    close = aligned[(aligned.measure == "spearman_cosine") & (aligned.block == "all")]
    for task in sigmas:
        facts = find_facts(task)
        trained = {name.removeprefix(f"{task}__") for name in similarity if facts.in_line and facts.codes}
        learned = sorted((sigma, name) for name, sigma in sigmas[task].items() if name in trained)
        named = {SINUSOID: "sinusoid"} if SINUSOID in trained else {}
        named |= {name: f"learned, \u03c3 = {sigma:g}" for sigma, name in learned[:1]}
        for name, words in named.items():
            seeds = close[(close.task == task) & (close.encoding == name)]
            matrix = similarity[f"{task}__{name}"]
            likeness = f"\u03c1 = {seeds.value.mean():.2f}, max p {seeds.p_value.max():.2g}"
            yield f"{facts.title}, n = {len(matrix)}\n{words}, {style.seeds(seeds)}\n{likeness}", matrix
