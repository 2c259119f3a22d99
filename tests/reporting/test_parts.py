import pandas as pd

from stages.reporting.parts import Column, Table, fold

FRAME = pd.DataFrame({"name": ["a", None], "low": [-0.5, float("nan")], "high": [0.5, float("nan")]})


def test_cells_show_text_numbers_and_intervals() -> None:
    table = Table(
        "t", "", FRAME, [Column("name", ""), Column("low", "", 1), Column("low", "", 2, high="high")]
    )
    assert table.cells() == [["a", "\u22120.5", "[\u22120.50, 0.50]"], ["\u2013"] * 3]


def test_a_table_without_rows_is_left_out() -> None:
    (table,) = fold("t", "", FRAME, [])
    assert table.folded and fold("t", "", FRAME.iloc[:0], []) == []
