import pandas as pd

from stages.reporting.section import Column, Table

FRAME = pd.DataFrame({"name": ["a", None], "low": [-0.5, float("nan")], "high": [0.5, float("nan")]})


def test_cells_show_text_numbers_and_intervals() -> None:
    table = Table(
        "t", "", FRAME, [Column("name", ""), Column("low", "", 1), Column("low", "", 2, high="high")]
    )
    assert table.cells() == [["a", "\u22120.5", "[\u22120.50, 0.50]"], ["\u2013"] * 3]
