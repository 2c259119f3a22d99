"""Tell tables whose rows fit other places better than those that are said."""

from collections.abc import Iterator

from stages.core.orders import align, doubt_transposed, is_better
from stages.core.placed_rows import Places
from stages.core.positions.positions import Matrix
from stages.measure_table.places import LINE, place_cells, read_sides
from stages.reporting.numbers import write


def doubt_order(table: Matrix, positions: str, places: Places) -> Iterator[str]:
    """Say where a table [n, d] may be transposed, or its grid run column by column."""
    said = next(iter(places.values()))
    if sides := read_sides(positions):
        turned = "square:{1}x{0}".format(*sides)
        fit, other = align(table, said), align(table, place_cells(sides[::-1]))
        if is_better(other, fit, len(table)):
            yield (
                f"rows fit {turned} better: alignment {write(other, 3)}, and {write(fit, 3)} with "
                f"{positions}; if the grid is that, or stored column by column, give --positions {turned}"
            )
    yield from doubt_transposed(table, None if positions == LINE else said)
