"""Tell tables whose rows fit other places better than those that are said."""

from collections.abc import Iterator

import numpy as np

from stages.core.orders import align, is_better
from stages.core.placed_rows import Places
from stages.core.positions.positions import Matrix
from stages.measure_table.layouts import ROWS
from stages.measure_table.places import LINE, place_cells, read_sides
from stages.reporting.numbers import write


def doubt_order(table: Matrix, positions: str, places: Places) -> Iterator[str]:
    """Say where a table [n, d] may be transposed, or its grid run column by column."""
    rows, width = table.shape
    said = next(iter(places.values()))
    fit = align(table, said)
    if sides := read_sides(positions):
        turned, other = "square:{1}x{0}".format(*sides), align(table, place_cells(sides[::-1]))
        if is_better(other, fit, rows):
            yield (
                f"rows fit {turned} better: alignment {write(other, 3)}, and {write(fit, 3)} with "
                f"{positions}; if the grid is that, or stored column by column, give --positions {turned}"
            )
    if width >= ROWS[0] and (positions == LINE or rows == width):
        other = align(table.T, said if rows == width else np.arange(width, dtype=np.float64)[:, None])
        if is_better(other, fit, min(rows, width)):
            yield (
                f"columns keep their order better than rows: alignment {write(other, 3)}, of rows "
                f"{write(fit, 3)}; if the table is transposed, save it as [n, d], a row for each place"
            )
