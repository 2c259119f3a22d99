"""The best sigma of learned tables on each task, by score and by alignment: the question of the whole."""

from typing import Any

import pandas as pd

from stages.measures import statistics
from stages.reporting.alignment import REFERENCES, aligned_with
from stages.reporting.chart import Chart, against_sigma
from stages.reporting.estimates import scores
from stages.reporting.inputs import SCORES, Inputs
from stages.reporting.numbers import estimate, listed, sentence
from stages.reporting.section import Column, Section, Table

TASKS = tuple(REFERENCES)
COLUMNS = [
    *(Column("task", "task"), Column("sigma", "\u03c3", 2), Column("score", "score", 3)),
    *(Column("score_low", "95 % interval", 3, high="score_high"), Column("score_n", "n", 0)),
    Column("reference", "aligned with"),
    Column("alignment", "Spearman \u03c1", 3),
    *(Column("alignment_low", "95 % interval", 3, high="alignment_high"), Column("alignment_n", "n", 0)),
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
        paragraphs=[
            in_words(inputs, str(task), rows)
            for task, rows in found.groupby("task", sort=False)
            if rows.score.notna().any()
        ],
        charts=[
            chart
            for name in ("score", "alignment")
            for task, rows in found.groupby("task", sort=False)
            if len((chart := drawn(str(task), rows, name)).marks)
        ],
        tables=[Table("learned_tables_against_sigma", CAPTION.format(units=units), found, COLUMNS)],
    )


def learned(inputs: Inputs) -> pd.DataFrame:
    """One row per task and sigma, columns of `COLUMNS`."""
    found = [rows_of(inputs, task) for task in TASKS if inputs.sigmas.get(task)]
    columns = [one for column in COLUMNS for one in (column.name, column.high) if one]
    return pd.concat(found)[columns] if found else pd.DataFrame(columns=columns)


def rows_of(inputs: Inputs, task: str) -> pd.DataFrame:
    sigmas = dict(inputs.sigmas[task])
    scored = scores(inputs, task)
    scored = scored[scored.encoding.isin(sigmas)].set_index("encoding")
    scored.columns = pd.Index(["score", "score_low", "score_high", "score_n"])
    reference, aligned = aligned_with(inputs, task)
    aligned = aligned[aligned.encoding.isin(sigmas)].set_index("encoding")[["mean", "low", "high", "n"]]
    aligned.columns = pd.Index(["alignment", "alignment_low", "alignment_high", "alignment_n"])
    rows = scored.join(aligned).assign(task=task, reference=reference)
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


def in_words(inputs: Inputs, task: str, rows: pd.DataFrame) -> str:
    """Where score and alignment are best, what they are at the largest sigma, and which are as good."""
    score, last = SCORES[task], rows.iloc[-1]
    ranked = rows.sort_values("score", ascending=not score.higher_is_better, kind="stable")
    best = ranked.iloc[0]
    words = (
        f"{sentence(task)} ({score.unit}): of {len(rows)} learned tables the one from "
        f"\u03c3 = {best.sigma:g} has the best mean, {estimate_of(best, 'score')}; \u03c3 = {last.sigma:g}, "
        f"the largest, has {estimate_of(last, 'score')}. {as_good(inputs, task, str(best.name))}"
    )
    if rows.alignment.isna().all():
        return words
    most = rows.sort_values("alignment", ascending=False, kind="stable").iloc[0]
    where = "the same \u03c3" if most.sigma == best.sigma else f"\u03c3 = {most.sigma:g}"
    return (
        f"{words} Most aligned with {most.reference} is {where}: Spearman \u03c1 "
        f"{estimate_of(most, 'alignment')}; at the largest {estimate_of(last, 'alignment')}."
    )


def as_good(inputs: Inputs, task: str, best: str) -> str:
    """Which other learned tables cannot be told from the best one, seed by seed."""
    score, sigmas = SCORES[task], inputs.sigmas[task]
    runs = score.of(inputs.tables["runs"], task)
    others = sorted(set(sigmas) - {best}, key=lambda name: sigmas[name])
    tests = statistics.compare(runs, [(name, best) for name in others], score.metric, "")
    tests = tests[tests.low.notna()]
    if tests.empty:
        return "There is no other with as many seeds as a comparison needs."
    tied = tests[(tests.low <= 0) & (tests.high >= 0)]
    named = [f"\u03c3 = {sigmas[name]:g}" for name in tied.a]
    n = f"95 % interval of the paired difference, n = {tests.n.min():.0f} seeds"
    return f"Not to be told from it ({n}): {listed(named) or 'none'}."


def estimate_of(row: Any, name: str) -> str:
    return estimate(*row[[name, f"{name}_low", f"{name}_high", f"{name}_n"]])
