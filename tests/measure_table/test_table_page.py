"""A page says of a table what was measured, number by number, and its figure shows it."""

from math import nan
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist

from stages.core.measures.alignment import cosine_similarity
from stages.core.measures.tables import true_similarity
from stages.core.positions.sinusoids import sinusoid
from stages.figures.colours import BLUE, GREY, ORANGE
from stages.figures.shades import hide_diagonal
from stages.measure_table import figure
from stages.measure_table.measures import COLUMNS, measure
from stages.measure_table.page import say_in_short, write_rows
from stages.measure_table.places import read_places

ROWS = pd.DataFrame(
    [
        ("alignment", "square", 0, "table", 0.91, nan, nan),
        ("alignment", "square", 0, "permuted", 0.01, -0.02, 0.03),
        ("position_error", "square", 0, "table", 2.34, 2.0, 3.0),
        ("position_error", "square", 0, "permuted", 25.0, 24.0, 26.0),
        ("order_right", "index", 0, "table", 99.0, nan, nan),
        ("order_right", "index", 0, "permuted", 50.0, nan, nan),
        ("cosine", "square", 2, "table", 0.8, nan, nan),
        ("cosine", "square", 1, "table", 0.9, nan, nan),
        ("cosine", "square", 1, "permuted", 0.0, nan, nan),
        ("effective_rank", "", 0, "table", 3.21, nan, nan),
        ("effective_rank", "", 0, "random", 6.5, 6.4, 6.6),
        ("row_length", "index", 0, "table", 1.0, nan, nan),
    ],
    columns=COLUMNS,
)


def test_five_sentences_say_each_number_beside_that_of_chance() -> None:
    assert say_in_short(ROWS, 8) == [
        "alignment with square: 0.910; permuted rows 0.010 [\u22120.020, 0.030]",
        "square read from rows held out: off by 2.3 [2.0, 3.0] % of its range; "
        "permuted rows 25.0 [24.0, 26.0]",
        "order read from rows held out: 99.0 % of pairs right; permuted rows 50.0",
        "cosine of rows 1 apart: 0.900; permuted rows 0.000",
        "effective rank: 3.2 of 8; random table 6.5 [6.4, 6.6]",
    ]


def test_every_measure_but_those_of_single_rows_is_a_row_of_text() -> None:
    rows = write_rows(ROWS)
    assert [row["measure"] for row in rows] == [
        *("alignment", "position error", "order right", "cosine", "cosine", "effective rank"),
    ]
    assert rows[3] == {
        "measure": "cosine", "reference": "square", "at": "2",
        "table": "0.800", "random": "\u2013", "permuted": "\u2013",
    }  # fmt: skip
    assert rows[5]["at"] == "" and rows[5]["random"] == "6.5 [6.4, 6.6]"


def test_a_figure_shows_the_table_its_truth_and_each_measure_in_its_colour() -> None:
    table, places = sinusoid(np.arange(30.0), 8), read_places("line", 30)
    rows = measure(table, places, np.random.default_rng(0))
    panels: list[Any] = figure.draw(table, places, rows).axes
    true = true_similarity(cdist(places["index"], places["index"]))
    for axes, similarity in zip(panels, (cosine_similarity(table), true), strict=False):
        np.testing.assert_allclose(axes.images[0].get_array().filled(nan), hide_diagonal(similarity))
    found = rows.set_index(["measure", "of"]).value
    for of, colour in (("table", BLUE), ("permuted", GREY), ("random", ORANGE)):
        for axes, measured in ((panels[2], "alignment"), (panels[3], "cosine")):
            (line,) = (one for one in axes.lines if one.get_color() == colour and one.get_marker() == "o")
            drawn = line.get_xdata() if measured == "alignment" else line.get_ydata()
            np.testing.assert_allclose(drawn, found[measured, of])
    np.testing.assert_allclose(panels[4].lines[1].get_ydata(), found["index_read", "table"])
