"""Draw what a table holds of positions, in six panels."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.spatial.distance import cdist

from stages.core.measures.alignment import cosine_similarity
from stages.core.measures.tables import true_similarity
from stages.core.placed_rows import Places
from stages.core.positions.positions import Matrix
from stages.figures import style
from stages.figures.colours import BLUE, GREY, ORANGE
from stages.figures.maps import show_similarity
from stages.figures.printed import SMALL
from stages.figures.shades import hide_diagonal

PANEL, GAP, AROUND = (2.5, 2.5), (0.75, 0.75), (0.8, 0.2, 0.35, 0.55)  # inches
MOST_TICKS = 9  # that have room side by side
LOOKS = {"permuted": GREY, "random": ORANGE, "table": BLUE}  # the last on top


def draw(table: Matrix, places: Places, rows: pd.DataFrame) -> Figure:
    """Draw the figure of a table [n, d].

    rows: of `measures.measure`; the first of the places is drawn.
    """
    main = next(iter(places))
    figure, panels = style.place_panels(6, 3, PANEL, GAP, AROUND)
    draw_map(panels[0], cosine_similarity(table), "Similarity of rows")
    draw_map(panels[1], true_similarity(cdist(places[main], places[main])), f"True similarity: {main}")
    draw_alignment(panels[2], rows[rows.measure == "alignment"])
    draw_cosines(panels[3], rows[(rows.measure == "cosine") & (rows.reference == main)])
    draw_index(panels[4], rows[rows.measure == "index_read"])
    draw_lengths(panels[5], rows)
    return figure


def draw_map(axes: Axes, similarity: Matrix, title: str) -> None:
    """Draw similarity [n, n] of rows in their order."""
    show_similarity(axes, hide_diagonal(similarity))
    axes.set(title=title, xlabel="row")


def draw_alignment(axes: Axes, rows: pd.DataFrame) -> None:
    names = list(rows.reference.unique())
    heights = rows.reference.map(names.index)
    least = float(np.nanmin(rows[["value", "low"]].to_numpy(np.float64)))
    for step, (of, colour) in enumerate(LOOKS.items()):
        own, at = rows[rows.of == of], heights[rows.of == of] + 0.2 * (1 - step)
        axes.plot(own.value, at, "o", color=colour, ms=5)
        axes.hlines(at, own.low, own.high, color=colour, lw=2)
    axes.set(
        title="Alignment", xlabel="correlation of distances", yticks=range(len(names)), yticklabels=names
    )
    axes.set(ylim=(len(names) - 0.4, -0.6), xlim=(min(-0.1, least - 0.05), 1.02))
    axes.axvline(0, color=GREY, lw=0.8)


def draw_cosines(axes: Axes, rows: pd.DataFrame) -> None:
    for of, colour in LOOKS.items():
        own = rows[rows.of == of]
        doublings = np.log2(own["at"])
        axes.plot(doublings, own.value, "o-", color=colour, ms=3, lw=1.5, label=of)
        axes.fill_between(doublings, own.low, own.high, color=colour, alpha=0.2, lw=0)
    ticks = sorted(rows["at"].unique())
    ticks = ticks[:: 1 + len(ticks) // MOST_TICKS]
    axes.set_xticks(np.log2(ticks), [str(tick) for tick in ticks])
    axes.set(title="Cosine of two rows", xlabel="steps apart")
    axes.legend(frameon=False, fontsize=SMALL)


def draw_index(axes: Axes, rows: pd.DataFrame) -> None:
    table = rows[rows.of == "table"]
    axes.plot(table["at"], table["at"], color=GREY, lw=0.8)
    axes.plot(table["at"], table.value, ".", color=BLUE, ms=3)
    axes.set(title="Index read from rows held out", xlabel="index", ylabel="index read")


def draw_lengths(axes: Axes, rows: pd.DataFrame) -> None:
    table = rows[(rows.measure == "row_length") & (rows.of == "table")]
    random = rows.value[(rows.measure == "length") & (rows.of == "random")]
    axes.plot(table["at"], table.value, color=BLUE, lw=1)
    axes.axhline(float(random.iloc[0]), color=ORANGE, lw=1)
    axes.set(title="Length of rows", xlabel="index", ylim=(0, 1.05 * table.value.max()))
