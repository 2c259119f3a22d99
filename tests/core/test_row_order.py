import warnings

import numpy as np
import pytest

from stages.core.measure import measure_table
from stages.core.orders import find_grid
from stages.core.positions.sinusoids import sinusoid


def test_rows_that_fit_other_places_better_are_warned_of() -> None:
    def draw(sides: tuple[int, int], tokens: int = 0) -> tuple[np.ndarray, np.ndarray]:
        grid = np.indices(sides).reshape(2, -1).T.astype(float)
        table = np.hstack([sinusoid(grid[:, axis] / 10, 8) for axis in (0, 1)])
        return np.vstack([np.ones((tokens, 16)), table]), grid

    table, places = draw((12, 20))
    by_columns = np.stack([axis.ravel() for axis in np.meshgrid(np.arange(12), np.arange(20))], axis=1)
    with pytest.warns(UserWarning, match=r"fit these places better in another order: alignment [\d.]+ for"):
        measure_table(table, by_columns)
    for tokens, said in (
        (0, "rows fit a grid of 14 x 14 better than"),
        (1, "rows from 1 on fit a grid of"),
    ):
        with pytest.warns(UserWarning, match=said):
            measure_table(draw((14, 14), tokens)[0])
    with pytest.warns(
        UserWarning, match="rows fit a grid of 12 x 20 better than a line: alignment 1.000 for"
    ):
        measure_table(table)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        measure_table(table, places)
        measure_table(*draw((14, 14)))
        measure_table(sinusoid(np.arange(150.0), 64))
        measure_table(np.random.default_rng(0).normal(size=(196, 16)))


@pytest.mark.parametrize("n", [30, 64, 240, 1024])
def test_rows_on_a_line_fit_no_grid(n: int) -> None:
    generator = np.random.default_rng(n)
    drawn = generator.normal(size=(n, 32))
    centres = generator.uniform(size=32)
    bumps = np.exp(-np.square((np.linspace(0, 1, n)[:, None] - centres) / 0.1))
    for table in (sinusoid(np.arange(float(n)), 64), drawn, drawn.cumsum(axis=0), bumps):
        assert find_grid(table) is None
