"""Say in words what a figure shows: its small print, and a description for readers who do not see it."""

from pathlib import Path

import pandas as pd
import yaml

from stages.figures.names import name_axis, name_cell, name_metric, name_models, name_side
from stages.studies.claim import Test
from stages.studies.judging.correlating import list_correlations
from stages.studies.schema import Study
from stages.studies.tables import Tables, select
from stages.tasks.facts import find_facts

# the small print of every kind of figure
CAPTIONS: dict[str, str] = yaml.safe_load(
    Path(__file__).with_name("captions.yaml").read_text(encoding="utf-8")
)


def write_caption(study: Study) -> str:
    """Write the small print below a study's figure: how its marks are read."""
    match study.figure.kind:
        case "lines":
            said = {"lines": True, "published": study.beside is not None, "focus": study.focus}
        case "rows":
            said = {"rows": bool(study.compare), "scores": not study.compare}
        case "scatter":
            said = {"scatter": True}
        case "tables":
            said = {"tables": True}
    return " ".join(CAPTIONS[name] for name, is_said in said.items() if is_said)


def describe_figure(study: Study, tables: Tables) -> str:
    """Tell a reader who does not see a study's figure what is in it."""
    scores = tables["scores"]
    pairs = ((task, metric) for task in study.scored for metric in study.figure.metrics)
    shown = [(task, metric) for task, metric in pairs if len(select(scores, task, metric))]
    match study.figure.kind:
        case "lines":
            lines = join([name_cell(cell) for cell in study.figure.cells or study.list_cells()])
            panels = " ".join(filter(None, (describe_panel(study, scores, *panel) for panel in shown)))
            return f"Line charts against {name_axis(study) or 'settings'}. {panels} Lines: {lines}."
        case "rows":
            return " ".join(describe_rows(study, tables["differences"], *panel) for panel in shown)
        case "scatter":
            return " ".join(describe_scatter(study, test) for test in list_correlations(study))
        case "tables":
            return (
                f"Similarity maps of the tables of {join([name_cell(table) for table in study.tables])} "
                "and of the truth. Below, charts of how similarity falls with distance, of the error of "
                "places read from rows, and of alignment."
            )


def describe_scatter(study: Study, test: Test) -> str:
    """Tell which two metrics a panel holds."""
    metrics = [name_metric(test.task, one) for one in (test.metric, str(test.correlate))]
    named = f"{find_facts(test.task).title}, {name_models(study, test)}"
    return f"{named}: a dot per model, {join(metrics)}."


def describe_panel(study: Study, scores: pd.DataFrame, task: str, metric: str) -> str:
    """Tell from where to where the first line of a panel goes; nothing where none follows the axis."""
    rows = select(scores, task, metric)
    along = rows[(rows["at"] != "") & rows.cell.isin(study.figure.cells or study.list_cells())]
    if along.empty:
        return ""
    cell = along.cell.iloc[0]
    means = along[along.cell == cell].groupby("at", sort=False).value.mean()
    ends = join([f"{mean:.2f} at {name_side(study, '', at)}" for at, mean in means.iloc[[0, -1]].items()])
    return f"{find_facts(task).title}, {name_metric(task, metric)} of {name_cell(cell)}: {ends}."


def describe_rows(study: Study, differences: pd.DataFrame, task: str, metric: str) -> str:
    """Tell how many rows a panel has and, of differences, how many intervals leave out 0."""
    named = f"{find_facts(task).title}, {name_metric(task, metric)}"
    if not study.compare:
        return f"{named}: a dot for each mean, on a line from the least seed to the greatest."
    rows = differences[(differences.task == task) & (differences.metric == metric)]
    above, below = (rows.low > 0).sum(), (rows.high < 0).sum()
    return f"{named}: {len(rows)} differences, {above} with an interval above 0 and {below} below it."


def join(names: list[str]) -> str:
    """Join different names to a list in words: a, b and c."""
    *first, last = dict.fromkeys(names) or [""]
    return f"{', '.join(first)} and {last}" if first else last
