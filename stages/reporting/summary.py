"""The best sigma of learned tables on each task, by score and by alignment: the question of the whole."""

import pandas as pd

from stages.measures import statistics
from stages.reporting.estimates import COLUMNS as ESTIMATED
from stages.reporting.estimates import estimate_alignment, in_words, rank_scores
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import listed
from stages.reporting.parts import Column, Section, Table
from stages.tasks.facts import TaskFacts

COLUMNS = [
    *(Column("task", "task"), Column("sigma", "\u03c3", 2), Column("score_mean", "score", 3)),
    *(Column("score_low", "95 % interval", 3, high="score_high"), Column("score_n", "n", 0)),
    *(Column("reference", "aligned with"), Column("alignment_mean", "Spearman \u03c1", 3)),
    *(Column("alignment_low", "95 % interval", 3, high="alignment_high"), Column("alignment_n", "n", 0)),
]
CAPTION = (
    "Learned tables against \u03c3: score and alignment of every one, mean over n seeds with its 95 % "
    "Student t interval. Score: {units}. Alignment: Spearman correlation of distances between rows of the "
    "table, blocks side by side, with true distances."
)


def section(inputs: Inputs) -> Section:
    rows = {facts: compare_sigmas(inputs, facts) for facts in inputs.spatial()}
    rows = {facts: of_task for facts, of_task in rows.items() if len(of_task)}
    units = "; ".join(f"{facts.name}, {facts.score.unit} ({facts.score.better})" for facts in rows)
    named = [name for column in COLUMNS for name in (column.name, column.high) if name]
    whole = pd.concat(rows.values())[named] if rows else pd.DataFrame(columns=named)
    return Section(
        key="summary",
        title="In short",
        question="Does a learned table that starts small find true positions, and generalise better for it?",
        paragraphs=[summarise(inputs, facts, of_task) for facts, of_task in rows.items()],
        tables=[Table("learned_tables_against_sigma", CAPTION.format(units=units), whole, COLUMNS)],
    )


def compare_sigmas(inputs: Inputs, facts: TaskFacts) -> pd.DataFrame:
    """One row per sigma of the task's learned tables that were scored, columns of `COLUMNS`."""
    sigmas = dict(inputs.sigmas[facts.name])
    reference, aligned = estimate_alignment(inputs, facts)
    scores, alignments = (
        rows.set_index("encoding")[ESTIMATED].add_prefix(prefix)
        for rows, prefix in ((rank_scores(inputs, facts), "score_"), (aligned, "alignment_"))
    )
    rows = scores[scores.index.isin(list(sigmas))].join(alignments)
    rows = rows.assign(task=facts.name, reference=reference, sigma=rows.index.map(sigmas))
    return rows.sort_values("sigma")


def summarise(inputs: Inputs, facts: TaskFacts, rows: pd.DataFrame) -> str:
    """Where score and alignment are best, what they are at the largest sigma, and which are as good."""
    best, largest = facts.score.best_first(rows, "score_mean").iloc[0], rows.iloc[-1]
    words = (
        f"{facts.title} ({facts.score.unit}): of {len(rows)} learned tables that of \u03c3 = {best.sigma:g} "
        f"has the best mean, {in_words(best, 'score_')}. \u03c3 = {largest.sigma:g}, the largest, has "
        f"{in_words(largest, 'score_')}. {list_ties(inputs, facts, str(best.name))}"
    )
    if rows.alignment_mean.isna().all():
        return words
    most = rows.sort_values("alignment_mean", ascending=False, kind="stable").iloc[0]
    return (
        f"{words} Most aligned with {most.reference} is \u03c3 = {most.sigma:g}: Spearman \u03c1 "
        f"{in_words(most, 'alignment_')}. The largest \u03c3 has {in_words(largest, 'alignment_')}."
    )


def list_ties(inputs: Inputs, facts: TaskFacts, best: str) -> str:
    """Which other learned tables cannot be told from the best one, seed by seed."""
    score, sigmas = facts.score, inputs.sigmas[facts.name]
    runs = score.rows(inputs.tables["runs"], facts.name)
    others = sorted(set(sigmas) - {best}, key=lambda name: sigmas[name])
    tests = statistics.compare(runs, [(name, best) for name in others], score.metric, "")
    tests = tests[tests.low.notna()]
    if tests.empty:
        return "There is no other with as many seeds as a comparison needs."
    tied = tests[(tests.low <= 0) & (tests.high >= 0)]
    named = [f"\u03c3 = {sigmas[name]:g}" for name in tied.a]
    n = f"95 % interval of the paired difference, n = {tests.n.min():.0f} seeds"
    return f"Not to be told from it ({n}): {listed(named) or 'none'}."
