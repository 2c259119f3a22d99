"""What is measured of tables, against sigma: true positions but turned, what is read from rows, geometry."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import measure_panels
from stages.figures.measure_panels import NULL_LEGEND
from stages.figures.sigma_axis import Sigmas
from stages.figures.sigma_panel import FOCUS, LEARNED
from stages.figures.style import GREY
from stages.tasks.facts import find_facts

TURNED = {"cka": ("kernel alignment", "debiased CKA"), "procrustes": ("Procrustes", "variance shared")}
READ_OUTS = {
    "position_mae": ("absolute position", "error / null's error"),
    "order_accuracy": ("order of two tokens", "accuracy"),
}
READ_BACK = {
    "content_accuracy": ("content from x + P", "accuracy"),
    "position_accuracy": ("position from x + P", "accuracy"),
}
GEOMETRY = {"angle_deg": ("travel", "angle (degrees)"), "effective_rank": ("dimensions", "effective rank")}


def draw_turned(aligned: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """Whether tables are true positions but turned and scaled: a row per task of alignment.csv."""
    measured = aligned[aligned.measure.isin(list(TURNED))]
    judges = {
        str(task): find_facts(str(task)).judging_reference(set(rows.reference))
        for task, rows in measured.groupby("task", sort=False)
    }
    measured = measured[measured.reference == measured.task.map(judges)]
    named = {judge: ", ".join(task for task in judges if judges[task] == judge) for judge in judges.values()}
    references = "; ".join(f"{judge} ({tasks})" for judge, tasks in named.items())
    return measure_panels.draw(
        measured, TURNED, sigmas, "turned", NULL_LEGEND, setting=setting, references=references
    )


def draw_read_outs(aligned: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """Position and order of tokens read from rows that the read-out never saw."""
    whole = aligned[aligned.block == "all"]
    rows = pd.concat([relative_errors(whole), whole[whole.measure == "order_accuracy"]])
    return measure_panels.draw(rows, READ_OUTS, sigmas, "read_outs", NULL_LEGEND, setting=setting)


def relative_errors(aligned: pd.DataFrame) -> pd.DataFrame:
    """Rows of position_mae, of coordinates in tasks that have some, in units of the null's mean."""
    errors = aligned[aligned.measure == "position_mae"]
    placed = errors.task.isin(errors.task[errors.reference == "coordinates"])
    errors = errors[errors.reference.eq("coordinates") == placed]
    return errors.assign(value=errors.value / errors.null_mean, null_mean=1.0)


def draw_read_back(aligned: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """Whether content and position can each be read back from x + P, the sum before the first block."""
    rows = aligned[(aligned.block == "0") & aligned.measure.isin(list(READ_BACK))]
    return measure_panels.draw(rows, READ_BACK, sigmas, "read_back", NULL_LEGEND, setting=setting)


def draw_geometry(described: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """How far training turned tables and how many dimensions they use: a row per task of geometry.csv."""
    rows = described[(described.block == "all") & described.measure.isin(list(GEOMETRY))]
    untrained = rows.measure.eq("angle_deg") & rows.value.eq(0)
    legend = [LEARNED, FOCUS, Line2D([], [], color=GREY, label="other encodings")]
    return measure_panels.draw(rows[~untrained], GEOMETRY, sigmas, "geometry", legend, setting=setting)
