"""Tell tables whose rows fit other places better than those that are said."""

from collections.abc import Iterator

from stages.core.orders import align, doubt_transposed, find_grid, is_better, place_cells
from stages.core.placed_rows import Places
from stages.core.positions.positions import Matrix
from stages.measure_table.places import LINE, read_sides
from stages.reporting.numbers import write

FIRST = {1: "the first row", 2: "the first two rows"}


def doubt_order(table: Matrix, positions: str, places: Places) -> Iterator[str]:
    """Say where a table [n, d] may be transposed or of a grid, or its grid run column by column."""
    said = next(iter(places.values()))
    if sides := read_sides(positions):
        turned = "square:{1}x{0}".format(*sides)
        fit, other = align(table, said), align(table, place_cells(sides[::-1]))
        if is_better(other, fit, len(table)):
            yield (
                f"rows fit {turned} better: alignment {write(other, 3)}, and {write(fit, 3)} with "
                f"{positions}; if the grid is that, or stored column by column, give --positions {turned}"
            )
    if positions == LINE and (grid := find_grid(table)):
        square = "square:{}x{}".format(*grid.sides)
        behind = f" with --rows that leaves out {FIRST[grid.first]}" if grid.first else ""
        yield (
            f"rows fit {square} better than a line: alignment {write(grid.fit, 3)} for "
            f"{write(grid.on_line, 3)}; if they stand there, give --positions {square}{behind}"
        )
    yield from doubt_transposed(table, None if positions == LINE else said)
