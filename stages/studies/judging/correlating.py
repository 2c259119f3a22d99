"""Correlate two metrics of a cell over its models, or over values of the axis."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from stages.studies.claim import PUBLISHED, Test
from stages.studies.judging.beside import find_theirs
from stages.studies.judging.claimed import find_alternative, list_named
from stages.studies.judging.correlation import correlate
from stages.studies.judging.statistics import Numbers, with_interval
from stages.studies.schema import Study
from stages.studies.tables import select, split_name


def correlate_models(
    study: Study, test: Test, asked: Sequence[str], scores: pd.DataFrame, published: pd.DataFrame | None
) -> Numbers:
    """Correlate what a test names; without an estimate unless all values of the axis ran.

    Over seeds each model counts, beside the mean of the models at its value of the axis.
    """
    than, wanted = float(test.than or 0), list_named(test, test.a) or asked
    models = list_models(study, test, scores, published)
    models = models[models["at"].isin(wanted)] if wanted else models
    if not len(models) or not set(wanted) <= set(models["at"]):
        return Numbers()
    x, y = models[["x", "y"]].to_numpy(np.float64).T
    groups = pd.factorize(models["at"])[0] if test.over == "seeds" else np.zeros(len(models), int)
    found = correlate(x, y, groups, than)
    if found is None:
        return Numbers(len(models))
    return with_interval(len(models), found.rank, than, found, found.p(find_alternative(test)))


def list_correlations(study: Study) -> list[Test]:
    """List tests that correlate two metrics of models, each once."""
    asked = [test for _, test in study.list_tests() if len(test.metrics) > 1 and test.over == "seeds"]
    return list({(one.task, one.a, *one.at, one.metric, one.correlate): one for one in asked}.values())


def list_models(
    study: Study, test: Test, scores: pd.DataFrame, published: pd.DataFrame | None
) -> pd.DataFrame:
    """List both metrics of every tested model that has both: columns at, x, y; over the axis their means."""
    x = values_of(scores, test, test.metric)
    if test.correlate == PUBLISHED:
        score = find_theirs(published, study, test.task, "score")
        theirs = score[score.cell == split_name(test.a)[0]].set_index("at")["mean"]
        means = x.groupby("at", sort=False).mean()
        return pd.concat({"x": means, "y": theirs}, axis=1, join="inner").reset_index(names="at")
    both = pd.concat({"x": x, "y": values_of(scores, test, str(test.correlate))}, axis=1, join="inner")
    return (both.groupby("at", sort=False).mean() if test.over == "axis" else both).reset_index()


def values_of(scores: pd.DataFrame, test: Test, metric: str) -> "pd.Series[float]":
    """Return finite values of a metric of the tested cell, by value of the axis and seed."""
    rows, named = select(scores, test.task, metric), list_named(test, test.a)
    rows = rows[rows["cell"] == split_name(test.a)[0]]
    rows = rows[rows["at"].isin(named)] if named else rows
    return rows.set_index(["at", "seed"])["value"].replace([np.inf, -np.inf], np.nan).dropna()
