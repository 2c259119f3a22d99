"""What is compared, under each variation of the settings: scores, their difference, alignment."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from stages.figures import style
from stages.figures.style import BLUE, CYCLE, GREY, ORANGE
from stages.tasks.facts import find_facts

LINE, GAP, LEFT, BETWEEN, RIGHT, ABOVE, BELOW = 0.19, 0.75, 1.45, 0.3, 0.2, 0.6, 1.05  # inches
PANEL = 2.1  # inches, width
COLOURS = (BLUE, ORANGE, *CYCLE)
CAPTION = (
    "Scale '{scale}', {n} seeds. Means over seeds; crosses: on training data. Differences: {reference} minus "
    "the other, on\n{split} data, paired by seed, with Student's t intervals (95 %; those that end at the "
    "frame go on).\nAlignment: Spearman correlation of distances in the table with true ones.{others}"
)


def draw(table: pd.DataFrame) -> Figure:
    """Rows of variations.csv, in their order from above; three panels per task.

    Groups, and what is not compared in the first variation, have words alone.
    """
    usual = table[table.variation == table.variation.iloc[0]]
    every = table[table.split != "groups"]
    table = every[every.b.isin(usual.b)]
    talls = [LINE * rows.variation.nunique() for _, rows in table.groupby("task", sort=False)]
    gaps = [GAP + LINE * len(references(rows)[1:]) for _, rows in table.groupby("task", sort=False)]
    height = ABOVE + sum(talls) + sum(gaps[:-1]) + BELOW
    figure = Figure(figsize=(LEFT + 3 * PANEL + 2 * BETWEEN + RIGHT, height))
    colours = dict(zip(dict.fromkeys([*table.a, *table.b]), COLOURS, strict=False))
    top = height - ABOVE
    for (_, rows), gap in zip(table.groupby("task", sort=False), gaps, strict=True):
        names = list(dict.fromkeys(rows.variation))[::-1]
        tall = LINE * len(names)
        panels = [
            style.add_axes(figure, LEFT + number * (PANEL + BETWEEN), top - tall, PANEL, tall)
            for number in range(3)
        ]
        for axes in panels:
            style.set_rows(axes, names, named=axes is panels[0])
            axes.xaxis.set_major_locator(MaxNLocator(4))
        draw_task(panels, rows, names, colours)
        top -= tall + gap
    style.legend(
        figure, [Line2D([], [], color=c, marker="o", lw=0, ms=4, label=name) for name, c in colours.items()]
    )
    splits = dict.fromkeys(table.split[~table.split.isin(["train", "tables"])])
    n = " to ".join(map(str, sorted({table.n.min(), table.n.max()})))  # fewer where seeds diverged
    left_out = len(every[~every.b.isin(usual.b)])
    named: dict[str, object] = {"others": " Further pairs are in the tables alone." if left_out else ""}
    named |= {"scale": table.scale.iloc[0], "reference": table.a.iloc[0], "split": " or ".join(splits)}
    style.caption(figure, CAPTION.format(n=n, **named))
    return figure


def draw_task(
    panels: Sequence[Axes], table: pd.DataFrame, names: Sequence[str], colours: dict[str, str]
) -> None:
    """Scores, differences and alignment of one task, a row for each name from below."""
    of_scores, of_differences, of_alignment = panels
    aligned, trained = table[table.split == "tables"], table[table.split == "train"]
    scored = table.drop([*aligned.index, *trained.index])
    drawn = [(scored, of_scores, "o"), (trained, of_scores, "x"), (aligned, of_alignment, "o")]
    for rows, axes, marker in drawn:
        for side in "ab":
            for row in rows.to_dict("records"):
                at, colour = names.index(row["variation"]), colours[row[side]]
                axes.plot(row[f"mean_{side}"], at, marker, color=colour, ms=4, mew=0.9)
    of_differences.axvline(0, color=GREY, lw=0.8, zorder=1)
    reach = 1.6 * np.nanmax([1e-3, *scored.difference.abs()])
    for row in scored.to_dict("records"):
        at, colour = names.index(row["variation"]), colours[row["b"]]
        of_differences.plot(np.clip([row["low"], row["high"]], -reach, reach), [at, at], color=colour, lw=1)
        of_differences.plot(row["difference"], at, "o", color=colour, ms=4)
    of_differences.set_xlim(-reach, reach)
    facts, first = find_facts(table.task.iloc[0]), scored.iloc[0]
    side = "right" if facts.score.higher_is_better else "left"
    of_scores.set(title=facts.title, xlabel=f"{first.split} {first.metric}")
    of_differences.set(title="difference", xlabel=f"{first.metric}; {first.a} better: {side}")
    label = ",\n".join(references(table))
    of_alignment.set(title="alignment", xlabel=f"with {label}" if label else "none")


def references(table: pd.DataFrame) -> list[str]:
    """What a task's tables are aligned with."""
    metrics = dict.fromkeys(table.metric[table.split == "tables"])
    return [str(metric).removeprefix("alignment_") for metric in metrics]
