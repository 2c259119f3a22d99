"""How well each encoding does on what it was not trained on, and which differences are more than chance."""

import pandas as pd

from stages.figures.effects import FALSE_DISCOVERIES, subtract_reference
from stages.reporting.estimates import rank_scores
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import number
from stages.reporting.parts import ESTIMATE, Column, Section, Table
from stages.reporting.prose import fill_in, write_section
from stages.tasks.facts import TaskFacts

COLUMNS = [Column("label", "encoding"), *ESTIMATE, Column("train", "training mean", 3)]
TESTED = [
    *(Column("task", "task"), Column("metric", "of"), Column("label", "encoding"), Column("n", "n", 0)),
    *(Column("difference", "difference", 3), Column("low", "95 % interval", 3, high="high")),
    *(Column("effect_size", "effect size", 2), Column("p_value", "p", 3), Column("q_value", "q", 3)),
]


def section(inputs: Inputs) -> Section:
    tested = [facts for facts in inputs.tasks() if facts.score.split != "train"]
    texts = fill_in("generalisation")
    tables = [table for facts in tested for table in rank(inputs, facts, texts["caption"])]
    return write_section(texts, tables)


def rank(inputs: Inputs, facts: TaskFacts, caption: str) -> list[Table]:
    """The task's table, best mean first; none where nothing was scored."""
    rows, runs = rank_scores(inputs, facts), inputs.tables["runs"]
    trained = runs[(runs.task == facts.name) & (runs.split == "train") & (runs.metric == facts.score.metric)]
    columns = COLUMNS if len(trained) else COLUMNS[:-1]
    rows = rows.assign(train=rows.encoding.map(trained.groupby("encoding")["value"].mean()))
    score = facts.score
    caption = f"{facts.title}: {score.unit}, {score.split} split ({score.better}). {caption}"
    return [Table(f"generalisation_{facts.name}", caption, rows, columns)] if len(rows) else []


def compare_section(inputs: Inputs) -> Section:
    tests = inputs.tables["tests"].dropna(subset="difference")
    rows = subtract_reference(tests)
    texts = fill_in("tests", rows=rows, sigmas=inputs.sigmas)
    if rows.empty:
        return Section(texts["key"], texts["title"], texts["question"], [texts["nothing"]])
    rows = rows.assign(label=inputs.labels(rows))
    table = Table("differences", texts["caption"], rows, TESTED, folded=True)
    return write_section(texts, [table], paragraphs=[describe_power(tests)])


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
