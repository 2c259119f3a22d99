"""How well each encoding does on tokens, puzzles and people it was not trained on."""

from typing import Any

import pandas as pd

from stages.reporting.estimates import scores, words
from stages.reporting.inputs import SCORES, Inputs, Score, called
from stages.reporting.numbers import sentence
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table

TASKS = ("grid", "network", "recordings")
COLUMNS = [Column("called", "encoding"), *ESTIMATE, Column("train", "training mean", 3)]
CAPTION = (
    "{task}: {unit}, {split} split; mean over n seeds with its 95 % Student t interval, best first. Floors "
    "are predictions without a model and have neither seeds nor interval. Training mean: the same score in "
    "training."
)
FIGURE = (
    "Validation scores against \u03c3: share of puzzles solved, and masked error in variances of a token. "
    "Dots are seeds; 95 % intervals of the means and n are in the tables below."
)


def section(inputs: Inputs) -> Section:
    found = {task: ranked(inputs, task) for task in TASKS}
    tables = [
        Table(f"generalisation_{task}", caption(task, SCORES[task]), rows, COLUMNS)
        for task, rows in found.items()
        if len(rows)
    ]
    return Section(
        key="generalisation",
        title="Who generalises?",
        question="How well does each encoding do on puzzles, frames and people it was not trained on?",
        paragraphs=[in_words(inputs, task, rows) for task, rows in found.items() if len(rows)],
        figures=[
            Figure("generalisation", inputs.figures["generalisation"], FIGURE, ["tables/runs.csv"]),
        ],
        tables=tables,
    )


def caption(task: str, score: Score) -> str:
    return CAPTION.format(task=sentence(task), unit=score.unit, split=score.split)


def ranked(inputs: Inputs, task: str) -> pd.DataFrame:
    """A row per encoding, best mean first: columns of `scores`, called and train."""
    score, runs = SCORES[task], inputs.tables["runs"]
    found = scores(inputs, task)
    trained = runs[(runs.task == task) & (runs.split == "train") & (runs.metric == score.metric)]
    found["train"] = found.encoding.map(trained.groupby("encoding")["value"].mean())
    found["called"] = [called(inputs, task, name) for name in found.encoding]
    return found.sort_values("mean", ascending=not score.higher_is_better, kind="stable")


def in_words(inputs: Inputs, task: str, rows: pd.DataFrame) -> str:
    """The best encoding, the configuration under study, and the best floor if there is one."""
    is_floor = rows.encoding.str.startswith("floor_")
    models, floors = rows[~is_floor], rows[is_floor]
    said = [f"{sentence(task)} ({SCORES[task].unit}):"]
    if len(models):
        said.append(f"the best mean of {len(models)} configurations is {one(models.iloc[0])};")
    focus = models[models.encoding == "focus"]
    said += [f"{one(row)}, is number {place(models)} of {len(models)};" for _, row in focus.iterrows()]
    said += [f"the best floor is {one(row)};" for _, row in floors.head(1).iterrows()]
    return " ".join(said).removesuffix(";") + "."


def one(row: Any) -> str:
    return f"{row.called} with {words(row)}"


def place(models: pd.DataFrame) -> int:
    """Rank of the focus among the models, from 1."""
    return models.encoding.tolist().index("focus") + 1
