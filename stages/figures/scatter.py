"""Scatter charts: one metric against another, a dot per model, a panel per tested correlation."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import style
from stages.figures.colours import BLACK, GREY
from stages.figures.names import name_metric, name_models
from stages.studies.claim import Test
from stages.studies.judging.correlating import list_correlations, list_models
from stages.studies.judging.correlation import correlate
from stages.studies.schema import Study
from stages.tasks.facts import find_facts

COLUMNS, SIZE, GAP, AROUND = 3, (2.15, 1.9), (0.75, 0.85), (0.7, 0.15, 0.5, 0.6)  # inches


def draw(study: Study, scores: pd.DataFrame) -> Figure:
    """Draw every correlation over models that the study's claims test."""
    found = [(test, take_models(study, test, scores)) for test in list_correlations(study)]
    panels = [(test, models) for test, models in found if len(models)]
    if not panels:
        return style.empty_figure("nothing was correlated")
    figure, every = style.place_panels(len(panels), min(len(panels), COLUMNS), SIZE, GAP, AROUND)
    for axes, (test, models) in zip(every, panels, strict=True):
        draw_panel(axes, study, test, models)
    return figure


def take_models(study: Study, test: Test, scores: pd.DataFrame) -> pd.DataFrame:
    """Take both metrics of every model, less their means over the models that share its value of the axis."""
    models = list_models(study, test, scores, None)
    means = models.groupby("at", sort=False)[["x", "y"]].transform("mean")
    return models.assign(x=models["x"] - means["x"], y=models["y"] - means["y"])


def draw_panel(axes: Axes, study: Study, test: Test, models: pd.DataFrame) -> None:
    """Draw a dot per model, and say the rank correlation above them."""
    axes.axhline(0, color=GREY, lw=0.6)
    axes.axvline(0, color=GREY, lw=0.6)
    axes.plot(models["y"], models["x"], "o", ms=3, mfc=BLACK, mec="none", alpha=0.7)
    axes.set_title(
        f"{find_facts(test.task).title}\n{name_models(study, test)}: ρ = {say_correlation(models)}"
    )
    axes.set_xlabel(name_metric(test.task, str(test.correlate)))
    axes.set_ylabel(name_metric(test.task, test.metric))
    axes.locator_params(axis="x", nbins=5)


def say_correlation(models: pd.DataFrame) -> str:
    """Write the rank correlation of what a panel shows, within values of the axis."""
    x, y = models[["x", "y"]].to_numpy().T
    found = correlate(x, y, pd.factorize(models["at"])[0], 0.0)
    return "?" if found is None else style.say_number(found.rank, 2)
