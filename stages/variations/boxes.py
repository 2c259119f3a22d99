"""The four boxes of 2 x 2 cells of a square of order 4: a third way to group its cells."""

import numpy as np

ORDER = 4
ROWS, COLUMNS = np.indices((ORDER, ORDER)).reshape(2, -1)
BOXES = ROWS // 2 * 2 + COLUMNS // 2  # the box of each cell [16]
