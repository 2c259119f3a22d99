"""The best sigma of learned tables on each task, by score and by alignment: the question of the whole."""

from typing import Any

import pandas as pd

from stages.reporting.alignment import REFERENCES, aligned_with
from stages.reporting.chart import Chart, against_sigma
from stages.reporting.inputs import SCORES, Inputs
from stages.reporting.numbers import estimate, over_seeds
from stages.reporting.section import Column, Section, Table

TASKS = tuple(REFERENCES)
COLUMNS = [
    *(Column("task", "task"), Column("sigma", "\u03c3", 2), Column("score", "score", 3)),
    *(Column("score_low", "95 % interval", 3, high="score_high"), Column("score_n", "n", 0)),
    Column("reference", "aligned with"),
    *(
        Column("alignment", "Spearman \u03c1", 3),
        Column("alignment_low", "95 % interval", 3, "alignment_high"),
    ),
    Column("alignment_n", "n", 0),
]
CAPTION = (
    "Learned tables against \u03c3: score and alignment of every one, mean over n seeds with its 95 % "
    "Student t interval. Score: {units}. Alignment: Spearman correlation of distances between rows of the "
    "table, blocks side by side, with true distances."
)


def section(inputs: Inputs) -> Section:
    found = learned(inputs)
    units = "; ".join(f"{task}, {SCORES[task].unit}" for task in found.task.unique())
    return Section(
        key="summary",
        title="In short",
        question="Does a learned table that starts small find true positions, and generalise better for it?",
        paragraphs=[in_words(task, rows) for task, rows in found.groupby("task", sort=False)],
        charts=[
            chart
            for name in ("score", "alignment")
            for task, rows in found.groupby("task", sort=False)
            if len((chart := drawn(str(task), rows, name)).marks)
        ],
        tables=[Table("sigma_summary", CAPTION.format(units=units), found, COLUMNS)],
    )


def learned(inputs: Inputs) -> pd.DataFrame:
    """One row per task and sigma, columns of `COLUMNS`."""
    found = [rows_of(inputs, task) for task in TASKS if inputs.sigmas.get(task)]
    columns = [one for column in COLUMNS for one in (column.name, column.high) if one]
    return pd.concat(found)[columns] if found else pd.DataFrame(columns=columns)


def rows_of(inputs: Inputs, task: str) -> pd.DataFrame:
    sigmas = dict(inputs.sigmas[task])
    runs = SCORES[task].of(inputs.tables["runs"], task)
    scores = over_seeds(runs[runs.encoding.isin(sigmas)], ["encoding"]).set_index("encoding")
    scores.columns = pd.Index(["score", "score_low", "score_high", "score_n"])
    reference, aligned = aligned_with(inputs, task)
    aligned = aligned[aligned.encoding.isin(sigmas)].set_index("encoding")[["mean", "low", "high", "n"]]
    aligned.columns = pd.Index(["alignment", "alignment_low", "alignment_high", "alignment_n"])
    rows = scores.join(aligned).assign(task=task, reference=reference)
    return rows.assign(sigma=rows.index.map(sigmas)).sort_values("sigma")


def drawn(task: str, rows: pd.DataFrame, name: str) -> Chart:
    """`name`, score or alignment, of a task's learned tables against sigma, with its intervals."""
    score = SCORES[task]
    unit, what = "Spearman \u03c1, no unit", f"alignment with {rows.reference.iloc[0]}"
    if name == "score":
        unit = score.unit
        what = f"{score.metric}, {'higher' if score.higher_is_better else 'lower'} is better"
    columns = {name: "mean", f"{name}_low": "low", f"{name}_high": "high", f"{name}_n": "n"}
    numbers = rows[["sigma", *columns]].rename(columns=columns)
    n = ", ".join(f"{count:.0f}" for count in sorted(numbers.n.dropna().unique()))
    return against_sigma(f"{task}: {what}", f"{unit}; mean and 95 % interval, n = {n} seeds", numbers)


def in_words(task: Any, rows: pd.DataFrame) -> str:
    """Where score and alignment are best, and what they are at the largest sigma."""
    score = SCORES[str(task)]
    best = rows.loc[rows.score == (rows.score.max() if score.higher_is_better else rows.score.min())].iloc[0]
    nearest = rows.loc[rows.alignment == rows.alignment.max()]
    last = rows.iloc[-1]
    words = (
        f"{str(task).capitalize()}: of {len(rows)} learned tables the one from \u03c3 = {best.sigma:g} has "
        f"the best mean score, {estimate_of(best, 'score')}; \u03c3 = {last.sigma:g}, the largest, has "
        f"{estimate_of(last, 'score')}. Score: {score.unit}."
    )
    if nearest.empty:
        return words
    most = nearest.iloc[0]
    same = "the same" if most.sigma == best.sigma else "another one"
    return (
        f"{words} Most aligned with {most.reference} is \u03c3 = {most.sigma:g}, {same}: Spearman "
        f"\u03c1 {estimate_of(most, 'alignment')}; at the largest {estimate_of(last, 'alignment')}."
    )


def estimate_of(row: Any, name: str) -> str:
    return estimate(*row[[name, f"{name}_low", f"{name}_high", f"{name}_n"]])
