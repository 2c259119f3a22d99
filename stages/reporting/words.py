"""Sequences of random words: what a relative bias alone cannot compute."""

from stages.reporting.generalisation import COLUMNS, caption, in_words, ranked
from stages.reporting.inputs import SCORES, Inputs
from stages.reporting.section import Section, Table

TASKS = ("identification", "even_tokens")


def section(inputs: Inputs) -> Section:
    found = {task: rows for task in TASKS if len(rows := ranked(inputs, task))}
    return Section(
        key="words",
        title="Words in a row",
        question="Which encodings can name each word's place, or copy every second word (arXiv 2205.13401)?",
        paragraphs=[in_words(inputs, task, rows) for task, rows in found.items()],
        tables=[Table(task, caption(task, SCORES[task]), rows, COLUMNS[:-1]) for task, rows in found.items()],
    )
