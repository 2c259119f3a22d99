"""Tell which columns and numbers of a table may be none of its own."""

from collections.abc import Iterator

import numpy as np

from .positions.missing_codes import find_missing
from .positions.positions import Matrix
from .positions.row_numbers import may_number_rows, numbers_rows

FEWEST_CLIPPED, MORE_CLIPPED = 3, 10  # numbers at each end, and times as many as of the next size
NEARLY_ALL = 0.99  # of the variance


def doubt_columns(table: Matrix) -> Iterator[str]:
    """Say which columns [n, d] may be none of the table's."""
    width = table.shape[1]
    missing = [*find_missing(table)]
    yield from missing
    variances = table.var(axis=0)
    largest = int(variances.argmax())
    if width > 1 and not missing and variances[largest] > NEARLY_ALL * variances.sum():
        yield (
            f"column {largest + 1} of {width} holds more than {100 * NEARLY_ALL:g} % of the variance, as of "
            "a count or a code next to the table; cut it out if it is one"
        )
    sizes, counts = np.unique(np.abs(table), return_counts=True)
    ends = min(int((table == end).sum()) for end in (-sizes[-1], sizes[-1]))
    if len(sizes) > 1 and ends >= FEWEST_CLIPPED and counts[-1] >= MORE_CLIPPED * counts[-2]:
        yield (
            f"{counts[-1]} numbers are {sizes[-1]:.10g} or its negative and none is beyond, as where numbers "
            "are cut off; where that is a fault, save the table in float32 before it happens"
        )
    for column in find_row_numbers(table):
        yield f"column {column + 1} of {width} may number rows; leave it out if it does"


def find_row_numbers(matrix: Matrix) -> list[int]:
    """Find columns [n, d] that may number rows, beside others that vary and do not."""
    varying = [at for at, column in enumerate(matrix.T) if np.ptp(column)]
    for number in (may_number_rows, numbers_rows):  # biases may all go evenly, but for whole numbers
        found = [at for at in varying if number(matrix[:, at])]
        if 0 < len(found) < len(varying):
            return found
    return []
