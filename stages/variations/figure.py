"""What is compared, under each variation of the settings: scores, their difference, alignment."""

from collections.abc import Iterator, Sequence

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
    "frame go on).\nAlignment: Spearman correlation of distances in the table with true ones."
)


def draw(table: pd.DataFrame) -> Figure:
    """Rows of variations.csv, in their order from above; three panels per task."""
    tasks = list(dict.fromkeys(table.task))
    rows = {task: list(dict.fromkeys(table[table.task == task].variation))[::-1] for task in tasks}
    width = LEFT + 3 * PANEL + 2 * BETWEEN + RIGHT
    height = ABOVE + sum(LINE * len(names) + GAP for names in rows.values()) - GAP + BELOW
    figure = Figure(figsize=(width, height))
    colours = dict(zip(dict.fromkeys([*table.a, *table.b]), COLOURS, strict=False))
    top = height - ABOVE
    for task, names in rows.items():
        tall = LINE * len(names)
        panels = [
            style.add_axes(figure, LEFT + number * (PANEL + BETWEEN), top - tall, PANEL, tall)
            for number in range(3)
        ]
        for number, axes in enumerate(panels):
            style.set_rows(axes, names, named=number == 0)
        draw_task(panels, table[table.task == task], names, colours)
        for axes in panels:
            axes.xaxis.set_major_locator(MaxNLocator(4))
        top -= tall + GAP
    style.legend(
        figure, [Line2D([], [], color=c, marker="o", lw=0, ms=4, label=name) for name, c in colours.items()]
    )
    scored = table[~table.split.isin(["train", "tables"])]
    named = {"reference": table.a.iloc[0], "split": " or ".join(dict.fromkeys(scored.split))}
    style.caption(figure, CAPTION.format(scale=table.scale.iloc[0], n=counts(table.n), **named))
    return figure


def counts(n: "pd.Series[int]") -> str:
    """How many seeds, as `3` or `2 to 3` where some diverged."""
    return str(n.max()) if n.min() == n.max() else f"{n.min()} to {n.max()}"


def draw_task(
    panels: Sequence[Axes], table: pd.DataFrame, names: Sequence[str], colours: dict[str, str]
) -> None:
    """Scores, differences and alignment of one task, a row for each name from below."""
    of_scores, of_differences, of_alignment = panels
    aligned, trained = table[table.split == "tables"], table[table.split == "train"]
    scored = table.drop([*aligned.index, *trained.index])
    facts = find_facts(table.task.iloc[0])
    first, metric, split = scored[["a", "metric", "split"]].iloc[0]
    for rows, axes, marker in (
        (scored, of_scores, "o"),
        (trained, of_scores, "x"),
        (aligned, of_alignment, "o"),
    ):
        for name, configuration, mean in means(rows):
            axes.plot(mean, names.index(name), marker, color=colours[configuration], ms=4, mew=0.9)
    of_differences.axvline(0, color=GREY, lw=0.8, zorder=1)
    reach = 1.6 * np.nanmax([1e-3, *scored.difference.abs()])
    for row in scored.to_dict("records"):
        at, colour = names.index(row["variation"]), colours[row["b"]]
        of_differences.plot(np.clip([row["low"], row["high"]], -reach, reach), [at, at], color=colour, lw=1)
        of_differences.plot(row["difference"], at, "o", color=colour, ms=4)
    of_differences.set_xlim(-reach, reach)
    side = "right" if facts.score.higher_is_better else "left"
    of_scores.set(title=facts.title, xlabel=f"{split} {metric}")
    of_differences.set(title="difference", xlabel=f"{metric}; {first} better: {side}")
    references = ", ".join(name.removeprefix("alignment_") for name in dict.fromkeys(aligned.metric))
    of_alignment.set(title="alignment", xlabel=f"with {references}" if references else "none")


def means(rows: pd.DataFrame) -> Iterator[tuple[str, str, float]]:
    """Variation, configuration and mean over seeds of everything compared, once each."""
    named = ["variation", "configuration", "mean"]
    sides = [rows[["variation", side, f"mean_{side}"]].set_axis(named, axis=1) for side in "ab"]
    once = pd.concat(sides).drop_duplicates(named[:2])
    yield from zip(once.variation, once.configuration, once["mean"], strict=True)
