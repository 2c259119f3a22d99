"""Tell tables whose rows fit other places better than those that are said."""

from collections.abc import Iterator

import numpy as np
from scipy.spatial.distance import pdist

from stages.core.placed_rows import Places, rank
from stages.core.positions.positions import Matrix
from stages.measure_table.layouts import ROWS
from stages.measure_table.places import LINE, place_cells, read_sides
from stages.reporting.numbers import write

MOST_ROWS = 1000  # that are compared: half a million pairs
LEAST_MORE = 0.1  # of alignment
CHANCE = 10  # over the number of rows: five times as far as alignments of permuted rows spread


def doubt_order(table: Matrix, positions: str, places: Places) -> Iterator[str]:
    """Say where a table [n, d] may be transposed, or its grid run column by column."""
    rows, width = table.shape
    said = next(iter(places.values()))
    fit = align(table, said)
    if sides := read_sides(positions):
        turned, other = "square:{1}x{0}".format(*sides), align(table, place_cells(sides[::-1]))
        if other > fit + max(LEAST_MORE, CHANCE / rows):
            yield (
                f"rows fit {turned} better: alignment {write(other, 3)}, and {write(fit, 3)} with "
                f"{positions}; if the grid is that, or stored column by column, give --positions {turned}"
            )
    if width >= ROWS[0] and (positions == LINE or rows == width):
        other = align(table.T, said if rows == width else np.arange(width, dtype=np.float64)[:, None])
        if other > fit + max(LEAST_MORE, CHANCE / min(rows, width)):
            yield (
                f"columns keep their order better than rows: alignment {write(other, 3)}, of rows "
                f"{write(fit, 3)}; if the table is transposed, save it as [n, d], a row for each place"
            )


def align(table: Matrix, coordinates: Matrix) -> float:
    """Correlate ranks of distances between rows [n, d] and between places [n, k], of evenly spaced ones."""
    n = len(table)
    kept = np.linspace(0, n - 1, min(n, MOST_ROWS)).astype(np.int64)
    # both matrices have every pair twice
    return float((rank(pdist(table[kept])) * rank(pdist(coordinates[kept]))).sum() / 2)
