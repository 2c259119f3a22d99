"""The best sigma of learned tables on each task, by score and by alignment: the question of the whole."""

import re

import pandas as pd

from stages.reporting.estimates import COLUMNS as ESTIMATED
from stages.reporting.estimates import estimate_alignment, rank_scores
from stages.reporting.evidence import Evidence, render
from stages.reporting.inputs import Inputs
from stages.reporting.parts import Column, Section, Table
from stages.reporting.prose import fill_in, write_section
from stages.tasks.facts import TaskFacts

COLUMNS = [
    *(Column("task", "task"), Column("sigma", "\u03c3", 2), Column("score_mean", "score", 3)),
    *(Column("score_low", "95 % interval", 3, high="score_high"), Column("score_n", "n", 0)),
    *(Column("reference", "aligned with"), Column("alignment_mean", "Spearman \u03c1", 3)),
    *(Column("alignment_low", "95 % interval", 3, high="alignment_high"), Column("alignment_n", "n", 0)),
]


def section(inputs: Inputs) -> Section:
    rows = {facts: compare_sigmas(inputs, facts) for facts in inputs.spatial()}
    rows = {facts: of_task for facts, of_task in rows.items() if len(of_task)}
    units = "; ".join(f"{facts.name}, {facts.score.unit} ({facts.score.better})" for facts in rows)
    named = [name for column in COLUMNS for name in (column.name, column.high) if name]
    whole = pd.concat(rows.values())[named] if rows else pd.DataFrame(columns=named)
    texts = fill_in("summary", units=units)
    table = Table("learned_tables_against_sigma", texts["caption"], whole, COLUMNS)
    return write_section(texts, [table], paragraphs=answer_questions(inputs))


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


def answer_questions(inputs: Inputs) -> list[str]:
    """The README's questions with their answers, a paragraph each."""
    text = render("readme.md.j2", Evidence(inputs.settings, inputs.tables))
    questions = re.findall(r"^\d\. .*(?:\n +.*)*", text, re.MULTILINE)
    return [re.sub(r"\s+(- )?", " ", question).replace("**", "").replace("`", "") for question in questions]
