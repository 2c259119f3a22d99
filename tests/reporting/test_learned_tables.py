"""Tables of the sections hold the means of the right rows."""

import pandas as pd
import pytest
from a_report import inputs, rows, with_table

from stages.reporting import learned_tables
from stages.reporting.parts import Section

LABELS = ["learned_s020 (\u03c3 = 0.2)", "learned_s200 (\u03c3 = 2)"]


def first_row(section: Section) -> list[str]:
    (table,) = section.tables
    assert table.frame.label.tolist() == LABELS
    return table.cells()[0]


def test_alignment_keeps_the_largest_p() -> None:
    known = inputs()
    known.tables["alignment"].loc[1, "p_value"] = 0.5
    section = learned_tables.alignment_section(known)
    assert first_row(section) == [LABELS[0], "same_line", "0.600", "[0.352, 0.848]", "3", "0.000", "0.500"]
    assert section.tables[0].caption.startswith("Latin-square puzzles: Spearman correlation")


def test_one_distance_beyond_another() -> None:
    table = rows(reference="same_line", given="grid_distance", null_mean=0.0, p_value=0.01)
    section = learned_tables.partial_section(with_table("partial", table))
    assert first_row(section)[:4] == ["same_line", "grid_distance", LABELS[0], "0.500"]


def test_communities_and_geometry_have_a_table_per_measure_of_whole_tables() -> None:
    table = rows(block="all", measure="ami", reference="rows", null_mean=0.25, p_value=0.01)
    table = pd.concat([table, table.assign(block="0", value=9.0)])
    section = learned_tables.communities_section(with_table("communities", table))
    assert section.tables[0].name == "ami"
    assert first_row(section)[:4] == ["grid", LABELS[0], "rows", "0.500"]
    geometry = table.assign(measure="angle_deg")
    section = learned_tables.geometry_section(with_table("geometry", geometry))
    assert section.tables[0].caption.startswith("Angle between initial and trained table, degrees")
    assert first_row(section)[:3] == ["grid", LABELS[0], "0.500"]


def test_tasks_in_a_row_have_no_groups() -> None:
    table = rows(block="all", measure="angle_deg").assign(task="probe")
    assert not learned_tables.geometry_section(with_table("geometry", table)).tables


@pytest.mark.parametrize(
    ("measure", "block", "other", "caption"),
    [
        ("content_accuracy", "0", "all", "Content from x + P, share told right"),
        ("position_accuracy", "0", "all", "Position from x + P, share told right"),
        ("order_accuracy", "all", "0", "Order"),
    ],
)
def test_what_is_read_is_of_the_block_where_it_is_read(
    measure: str, block: str, other: str, caption: str
) -> None:
    table = rows(measure=measure, block=block, null_mean=0.2, p_value=0.01)
    table = pd.concat([table, table.assign(block=other, value=9.0)])
    section = learned_tables.reading_section(with_table("alignment", table))
    assert first_row(section)[:3] == ["grid", LABELS[0], "0.500"]
    assert section.tables[0].caption.startswith(caption)
