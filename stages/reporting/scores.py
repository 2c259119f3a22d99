"""How well each encoding does on what it was not trained on, and which differences are more than chance."""

import pandas as pd

from stages.figures.effects import FALSE_DISCOVERIES, subtract_reference
from stages.reporting.estimates import rank_scores
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import number
from stages.reporting.parts import ESTIMATE, Column, Section, Table
from stages.tasks.facts import TaskFacts

COLUMNS = [Column("label", "encoding"), *ESTIMATE, Column("train", "training mean", 3)]
CAPTION = (
    "{title}: {unit}, {split} split ({better}). Mean over n seeds with its 95 % Student t interval, best "
    "first. Floors are predictions without a model and have neither seeds nor interval. Training mean: the "
    "same score in training."
)
FIGURE = "Scores against \u03c3. Dots are seeds; 95 % intervals of the means and n are in the tables below."
TESTED = [
    *(Column("task", "task"), Column("metric", "of"), Column("label", "encoding"), Column("n", "n", 0)),
    *(Column("difference", "difference", 3), Column("low", "95 % interval", 3, high="high")),
    *(Column("effect_size", "effect size", 2), Column("p_value", "p", 3), Column("q_value", "q", 3)),
]
TESTS_CAPTION = (
    "Difference from the learned table of \u03c3 = {sigma:g} on the same seeds: mean over n seeds (at most "
    "{n:.0f}) with its 95 % Student t interval, of scores and of Spearman correlations. Effect size: mean "
    "over standard deviation of the differences (Hedges' factor). p: flips of signs; q: false discovery rate "
    "within a family of tests."
)
PICTURE = (
    "Differences from the learned table of the reference \u03c3, paired by seed, with 95 % Student t "
    "intervals; n and numbers are in the table below."
)
NOTHING = "No learned table of the reference \u03c3 was trained beside another, so nothing is compared."


def section(inputs: Inputs) -> Section:
    tested = [facts for facts in inputs.tasks() if facts.score.split != "train"]
    return Section(
        key="generalisation",
        title="Who generalises?",
        question="How well does each encoding do on puzzles, frames, people and words it was not trained on?",
        figures=[inputs.figure("generalisation", FIGURE, "runs")],
        tables=[table for facts in tested for table in rank(inputs, facts)],
    )


def rank(inputs: Inputs, facts: TaskFacts) -> list[Table]:
    """The task's table, best mean first; none where nothing was scored."""
    rows, runs = rank_scores(inputs, facts), inputs.tables["runs"]
    trained = runs[(runs.task == facts.name) & (runs.split == "train") & (runs.metric == facts.score.metric)]
    columns = COLUMNS if len(trained) else COLUMNS[:-1]
    rows = rows.assign(train=rows.encoding.map(trained.groupby("encoding")["value"].mean()))
    score = facts.score
    caption = CAPTION.format(title=facts.title, unit=score.unit, split=score.split, better=score.better)
    return [Table(f"generalisation_{facts.name}", caption, rows, columns)] if len(rows) else []


def compare_section(inputs: Inputs) -> Section:
    title, question = "Differences, tested", "Which differences are more than the chance of seeds?"
    tests = inputs.tables["tests"].dropna(subset="difference")
    rows = subtract_reference(tests)
    if rows.empty:
        return Section("tests", title, question, [NOTHING])
    sigma = inputs.sigmas[rows.task.iloc[0]][rows.b.iloc[0]]
    caption = TESTS_CAPTION.format(sigma=sigma, n=rows.n.max())
    return Section(
        key="tests",
        title=title,
        question=question,
        paragraphs=[describe_power(tests)],
        figures=[inputs.figure("effects", PICTURE, "tests")],
        tables=[Table("differences", caption, rows.assign(label=inputs.labels(rows)), TESTED, folded=True)],
        further=["variations/page.html"],
    )


def describe_power(tests: pd.DataFrame) -> str:
    """How many tests keep to the false discovery rate, and how small a p can get."""
    tested = tests.dropna(subset="p_value")
    blind = tested[tested.p_least > FALSE_DISCOVERIES]
    passed = int((tested.q_value <= FALSE_DISCOVERIES).sum())
    words = f"{passed} of {len(tested)} tests have q \u2264 {FALSE_DISCOVERIES}."
    if blind.empty:
        return words
    return (
        f"{words} In {len(blind)} of them no outcome could: a test by flips of signs with "
        f"{blind.n.max():.0f} seeds gives no p below {number(blind.p_least.min(), 2)}. Read sizes "
        "and intervals there, not p."
    )
