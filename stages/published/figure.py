"""Our models beside the published ones: accuracies by sigma and complexity, learning curves, alignment."""

from collections.abc import Hashable, Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.style import BLUE, GREY, LIGHT, ORANGE

PANEL, GAP, AROUND = (2.5, 1.75), (0.4, 1.15), (0.6, 0.2, 0.5, 1.3)  # inches
CURVE_GAP = (0.4, 0.6)
CHANCE = 0.25
SHOWN = {  # panels of the first figure: split, condition
    "training puzzles": ("train", "all"),
    "test puzzles": ("test", "all"),
    "validation puzzles": ("validation", "all"),
    "validation, binary": ("validation", "binary"),
    "validation, ternary": ("validation", "ternary"),
    "validation, quaternary": ("validation", "quaternary"),
}
RUN = ["scheme", "init_std", "dropout"]  # the same in either precision
REFERENCES = {"same_line": "same row or column", "grid_distance": "distance in the grid"}
OURS = Line2D([], [], color=BLUE, marker="o", ms=3.5, mew=0, ls="", label="ours, each seed")
MEAN = Line2D([], [], color=BLUE, marker="_", ms=9, ls="", label="ours, mean")
THEIRS = Line2D([], [], color=GREY, marker="_", ms=9, ls="", label="published mean \u00b1 sd")
PRECISE = Line2D([], [], color=ORANGE, marker="o", ms=3.5, mew=0, ls="", label="ours in fp32")


def name_run(row: Mapping[Hashable, object]) -> str:
    """A short name of a scheme, its sigma and its dropout."""
    if row["scheme"] == "learned":
        return f"σ {row['init_std']:g}"
    short = {"sinusoidal_nd": "sinusoid", "random_fixed": "random"}.get(str(row["scheme"]), row["scheme"])
    return f"{short} + drop" if row["dropout"] == row["dropout"] else str(short)


def name_row(row: Mapping[Hashable, object]) -> str:
    """That name, with the precision where it is unusual."""
    return f"{name_run(row)} in fp32" if row["precision"] == "fp32" else name_run(row)


def take_one_precision(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of each run in one precision, bf16 where it was trained so."""
    once = rows.sort_values("precision", kind="stable").drop_duplicates(RUN)  # bf16 before fp32
    return rows[rows.run.isin(once.run)]


def say_precision(rows: pd.DataFrame) -> str:
    """Which of the runs are in float32, as the end of a caption; nothing if none is."""
    of_fp32 = rows[rows.precision == "fp32"].drop_duplicates("run").to_dict("records")
    names = ", ".join(map(name_run, of_fp32))
    return f"\nIn float32: {names}; repeats in float32 are not drawn." if names else ""


def order_runs(beside: pd.DataFrame) -> dict[str, int]:
    """Name -> place on the horizontal axis: learned tables by sigma, then the others."""
    rows = beside.drop_duplicates("run").sort_values(["init_std"], kind="stable")
    learned = rows.scheme == "learned"
    names = [name_run(row) for row in pd.concat([rows[learned], rows[~learned]]).to_dict("records")]
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def draw_scores(ends: pd.DataFrame, beside: pd.DataFrame) -> Figure:
    """ends: each seed's accuracies after its last epoch; beside: rows of beside.csv."""
    places = order_runs(beside)
    figure, panels = style.place_panels(len(SHOWN), 3, PANEL, GAP, AROUND)
    for axes, (title, (split, condition)) in zip(panels, SHOWN.items(), strict=True):
        seeds, means = (
            each[(each.split == split) & (each.condition == condition)] for each in (ends, beside)
        )
        draw_panel(axes, seeds, means, places)
        axes.set_title(title)
    for axes in panels[::3]:
        axes.set_ylabel("accuracy (higher is better)")
    of_fp32 = [PRECISE] if beside.precision.eq("fp32").any() else []
    style.legend(figure, [OURS, MEAN, *of_fp32, THEIRS])
    text = (
        "σ: of learned tables, at the start; drop: dropout of .1 in training. The dotted line is chance. The "
        "published sinusoid\nhad dropout of .1, on while scoring too. Published: 15 seeds, 4000 epochs."
    )
    style.caption(figure, text)
    return figure


def draw_panel(axes: Axes, ends: pd.DataFrame, beside: pd.DataFrame, places: Mapping[str, int]) -> None:
    once = beside[beside.published.notna()].drop_duplicates(RUN)
    for row in once.to_dict("records"):
        at, around = places[name_run(row)], row["published_sd"]
        axes.errorbar(at, row["published"], around, color=GREY, marker="_", ms=9, lw=3, alpha=0.5)
    for row in beside.to_dict("records"):
        at = places[name_run(row)]
        precise = row["precision"] == "fp32"
        seeds = ends[ends.run == row["run"]].accuracy
        moved = at + (0.3 if precise else 0.18) + np.linspace(-0.06, 0.06, len(seeds))
        colour = ORANGE if precise else BLUE
        axes.plot(moved, seeds, "o", color=colour, ms=3.5, mew=0, alpha=0.8)
        axes.plot(moved.mean(), row["mean"], "_", color=colour, ms=9)
    axes.axhline(CHANCE, color=GREY, ls=":", lw=0.8)
    axes.set_ylim(0, 1.04)
    label_runs(axes, places)


def draw_alignment(aligned: pd.DataFrame, beside: pd.DataFrame) -> Figure:
    """Spearman alignment with true distances of each seed's trained table, and of what training added to it.

    aligned: rows of aligned.csv; beside: rows of beside.csv.
    """
    runs = take_one_precision(beside).drop_duplicates("run")
    rows = aligned[aligned.measure == "spearman"].merge(runs, on="run")
    rows = rows[rows.run.isin(rows.run[rows.state == "added"])]  # fixed tables are as they were drawn
    places = order_runs(beside[beside.run.isin(rows.run)])
    figure, panels = style.place_panels(len(REFERENCES), len(REFERENCES), PANEL, GAP, (*AROUND[:3], 1.0))
    for axes, (reference, title) in zip(panels, REFERENCES.items(), strict=True):
        of_reference = rows[rows.reference == reference]
        for state, colour, aside in (("final", GREY, -0.12), ("added", BLUE, 0.12)):
            of_state = of_reference[of_reference.state == state]
            at = [places[name_run(row)] + aside for row in of_state.to_dict("records")]
            axes.scatter(at, of_state.value, s=12, color=colour, alpha=0.8, linewidths=0)
        axes.axhline(0, color=GREY, ls=":", lw=0.8)
        axes.set(title=title, ylim=(min(-0.25, rows.value.min() - 0.05), 1.04))
        label_runs(axes, places)
    panels[0].set_ylabel("Spearman correlation")
    dots = {"trained table": GREY, "the table (trained \u2212 drawn)": BLUE}
    style.legend(figure, [Line2D([], [], color=dots[of], marker="o", ms=3.5, lw=0, label=of) for of in dots])
    text = "Each point is a seed, all blocks side by side. σ: of the table as drawn. Dotted: no relation."
    style.caption(figure, text + say_precision(rows))
    return figure


def label_runs(axes: Axes, places: Mapping[str, int]) -> None:
    axes.set_xticks(list(places.values()), list(places), rotation=60, ha="right", rotation_mode="anchor")
    axes.grid(axis="y", color=LIGHT, lw=0.5)
    axes.set_axisbelow(True)


def draw_curves(scores: pd.DataFrame, curves: pd.DataFrame) -> Figure:
    """Validation accuracy of every seed over epochs, a panel per run; the published means at their epochs."""
    scores = take_one_precision(scores)
    by_sigma = scores.assign(other=scores.scheme != "learned").sort_values(["other", "init_std"])
    runs = list(by_sigma.run.unique())  # learned ones first
    figure, panels = style.place_panels(len(runs), 3, PANEL, CURVE_GAP, (*AROUND[:3], 0.9))
    for axes, run in zip(panels, runs, strict=True):
        rows = scores[(scores.run == run) & scores.accuracy.notna() & (scores.condition == "all")]
        for split, colour in (("test", LIGHT), ("validation", BLUE)):
            for _, seed in rows[rows.split == split].groupby("seed"):
                axes.plot(seed.epoch, seed.accuracy, color=colour, lw=0.9, marker=".", ms=2.5)
        first = rows.iloc[0]
        theirs = curves[(curves.scheme == first.scheme) & (curves.split == "validation")]
        same = theirs.init_std.isna() if np.isnan(first.init_std) else theirs.init_std == first.init_std
        until = max(rows.epoch.max(), 200)
        theirs = theirs[same & theirs.epoch.between(1, until)]
        axes.errorbar(theirs.epoch, theirs["mean"], theirs.sd, color=GREY, marker="_", ms=9, lw=1.5, ls="")
        axes.set(title=name_run(first.to_dict()), ylim=(0, 1.04), xlim=(0, 1.05 * until))
        axes.axhline(CHANCE, color=GREY, ls=":", lw=0.8)
    for axes in panels[::3]:
        axes.set_ylabel("accuracy")
    for axes in panels[-3:]:
        axes.set_xlabel("epoch")
    ours = Line2D([], [], color=BLUE, marker=".", lw=0.9, label="validation, each seed")
    test = Line2D([], [], color=LIGHT, marker=".", lw=0.9, label="test, each seed")
    style.legend(figure, [ours, test, THEIRS])
    text = (
        "A line ends where training did: once the training loss has stayed below .001 for 40 epochs, or at "
        "200\n(sinusoids: 400; with dropout always). Published: every 200 epochs, 14 seeds at σ 0.1, else 15."
    )
    style.caption(figure, text + say_precision(scores))
    return figure
