"""Numbers that a table is measured by, against known ones; tables and places that are none."""

import numpy as np
import pytest
import torch
from scipy.spatial.distance import cdist

from stages.core.measure import STREAM, measure_table
from stages.core.measures.alignment import align
from stages.core.orders import place_cells
from stages.core.positions.sinusoids import sinusoid
from stages.core.randomness.streams import generator
from stages.core.settings.errors import InputError
from stages.measure_table.measures import measure
from stages.measure_table.places import read_places

GRID = place_cells((5, 8))


def test_numbers_are_those_of_the_page_and_of_the_studies() -> None:
    table = np.random.default_rng(0).normal(size=(40, 6)) + 0.2 * np.tile(GRID, 3)
    found = measure_table(torch.tensor(table, requires_grad=True), 3.5 * GRID)  # in mm, say
    rows = measure(table, read_places("square:5x8", 40), generator(0, STREAM))
    rows = rows[(rows.of == "table") & rows.reference.isin(["square", ""])]
    page = rows.set_index(["measure", "at"]).value
    for name in ("alignment", "position_error", "procrustes", "procrustes_equal_size", "stress", "length"):
        assert getattr(found, name) == page[name, 0]
    assert found.cosines == page["cosine"].to_dict() and found.effective_rank == page["effective_rank", 0]
    assert found.alignment == pytest.approx(align(table, cdist(GRID, GRID)), abs=1e-12)
    assert (found.rows, found.columns) == (40, 6)


def test_a_sinusoid_mirrors_its_line_and_one_column_has_no_sinusoid() -> None:
    found = measure_table(sinusoid(np.arange(64.0), 16))
    assert found.procrustes == pytest.approx(0, abs=1e-6) and found.order_right == 100
    line = measure_table(np.arange(12.0))
    assert (
        line.alignment == pytest.approx(1) and line.stress == pytest.approx(0) and np.isnan(line.procrustes)
    )


@pytest.mark.parametrize(
    ("table", "places", "said"),
    [
        (np.ones((12, 3)), None, "table: all rows are equal"),
        (np.full((12, 3), np.nan), None, "table holds numbers that are not finite"),
        (np.zeros((2, 12, 3)), None, r"table of shape \(2, 12, 3\), expected"),
        (np.arange(9.0), None, "table: 9 rows, expected 10"),
        (np.arange(12.0), np.arange(11.0), "places: 11, expected 12"),
    ],
)
def test_what_cannot_be_measured_is_refused(table: np.ndarray, places: np.ndarray | None, said: str) -> None:
    with pytest.raises(InputError, match=said):
        measure_table(table, places)


def test_codes_and_similarities_in_place_of_a_table_are_said() -> None:
    table = np.random.default_rng(0).normal(size=(64, 8)).cumsum(axis=0)
    coded = table.copy()
    coded[::8] = -999
    with pytest.warns(UserWarning, match="table: -999 stands in rows 0, 8, 16 and 5 more"):
        measure_table(coded)
    with pytest.warns(UserWarning, match=r"the table \[64, 64\] is symmetric, as similarities or distances"):
        measure_table(np.corrcoef(table))


def test_rows_that_never_trained_and_a_transposed_table_are_said() -> None:
    table = np.cos(np.linspace(0, 3, 256)[:, None] * np.arange(1, 33) / 8 + np.arange(32))
    padded = table.copy()
    padded[100:] = 0.02 * np.random.default_rng(0).normal(size=(156, 32))
    with pytest.warns(UserWarning, match=r"table: 156 rows, .* without them: table\[:100\]; them alone"):
        measure_table(padded)
    with pytest.warns(UserWarning, match="table: 258 rows are 256 and 2 more, .*: table.2:."):
        measure_table(np.r_[np.random.default_rng(0).normal(size=(2, 32)), table])
    with pytest.warns(UserWarning, match="columns keep their order better than rows"):
        measure_table(table.T)
