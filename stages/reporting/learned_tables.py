"""What is measured of positional tables: alignment, groups, geometry, and what can be read from them."""

import pandas as pd

from stages.reporting.estimates import over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.parts import ESTIMATE, NULL, Column, Section, Table, fold
from stages.reporting.prose import Texts, fill_in, write_section
from stages.tasks.facts import find_facts

TASK, LABEL = Column("task", "task"), Column("label", "encoding")
READ_FROM = {"order_accuracy": "all", "content_accuracy": "0", "position_accuracy": "0"}  # block


def by_task(texts: Texts, rows: pd.DataFrame, columns: list[Column]) -> list[Table]:
    """A table per task; the caption begins with the task's title."""
    key, caption = texts["key"], texts["caption"]
    return [
        table
        for task, of_task in rows.groupby("task", sort=False)
        for table in fold(f"{key}_{task}", f"{find_facts(str(task)).title}: {caption}", of_task, columns)
    ]


def by_measure(texts: Texts, rows: pd.DataFrame, columns: list[Column]) -> list[Table]:
    """A table per measure; the caption begins with what the measure is."""
    return [
        table
        for measure, what in texts["measures"].items()
        for table in fold(measure, f"{what}; {texts['caption']}", rows[rows.measure == measure], columns)
    ]


def of_spatial(inputs: Inputs, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of whole tables, of tasks whose tokens do not stand in a row."""
    tasks = [facts.name for facts in inputs.spatial()]
    return rows[(rows.block == "all") & rows.task.isin(tasks)]


def alignment_section(inputs: Inputs) -> Section:
    rows = of_spatial(inputs, inputs.tables["alignment"])
    rows = over_seeds(inputs, rows[rows.measure == "spearman"], "reference")
    texts = fill_in("alignment")
    columns = [LABEL, Column("reference", "true distance"), *ESTIMATE, *NULL]
    return write_section(texts, by_task(texts, rows, columns))


def partial_section(inputs: Inputs) -> Section:
    rows = over_seeds(inputs, inputs.tables["partial"], "reference", "given")
    texts = fill_in("partial")
    columns = [Column("reference", "true distance"), Column("given", "beyond"), LABEL, *ESTIMATE, *NULL]
    return write_section(texts, by_task(texts, rows, columns))


def communities_section(inputs: Inputs) -> Section:
    rows = of_spatial(inputs, inputs.tables["communities"])
    rows = over_seeds(inputs, rows.assign(reference=rows.reference.fillna("")), "reference", "measure")
    texts = fill_in("communities")
    columns = [TASK, LABEL, Column("reference", "true groups"), *ESTIMATE, *NULL]
    return write_section(texts, by_measure(texts, rows, columns))


def geometry_section(inputs: Inputs) -> Section:
    rows = over_seeds(inputs, of_spatial(inputs, inputs.tables["geometry"]), "measure")
    texts = fill_in("geometry")
    return write_section(texts, by_measure(texts, rows, [TASK, LABEL, *ESTIMATE]))


def reading_section(inputs: Inputs) -> Section:
    rows = inputs.tables["alignment"]
    rows = over_seeds(inputs, rows[rows.block == rows.measure.map(READ_FROM)], "measure")
    texts = fill_in("reading")
    return write_section(texts, by_measure(texts, rows, [TASK, LABEL, *ESTIMATE, *NULL]))
