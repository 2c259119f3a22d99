"""Our puzzles beside the published ones: counts by hand."""

import numpy as np
import pandas as pd

from stages.published.describe_puzzles import describe_puzzles

BINARY = [[1, 2, 3, 5, *[0] * 12], [1, 2, 3, 5, 0, 0, 0, 1, *[0] * 8]]  # three givens, and four
TERNARY = [1, 2, 0, 5, 0, 0, 0, 3, *[0] * 8]
LAST = [*[0] * 12, 1, 2, 3, 5]


def test_one_row_each_with_counts_by_hand() -> None:
    train = {"puzzles": [*BINARY, TERNARY], "answers": [4, 4, 4], "complexity": [2, 2, 3]}
    test = {"puzzles": [LAST], "answers": [1], "complexity": [2]}  # the answer is 4: refused
    validation = {"puzzles": [LAST, TERNARY], "answers": [4, 4], "complexity": [2, 3]}
    puzzles = {
        f"{split}_{key}": np.array(values, np.uint8)
        for split, arrays in {"train": train, "test": test, "validation": validation}.items()
        for key, values in arrays.items()
    }
    published = pd.DataFrame(
        [(name, complexity, givens, 1) for name in ("generated", "validation")
         for complexity in ("binary", "ternary", "quaternary") for givens in (3, 5)],
        columns=["set", "complexity", "givens", "puzzles"],
    )  # fmt: skip
    rows = describe_puzzles(puzzles, published).set_index(["set", "complexity"])
    binary = rows.loc[[("generated", "binary")]].iloc[0]
    # ours 3, 3, 4 givens; theirs half 3, half 5
    assert (binary.n, binary.refused, binary.published_givens_mean) == (3, 1, 4)
    np.testing.assert_allclose(
        [binary.givens_alike, binary.givens_mean, binary.last_cell], [1 / 2, 10 / 3, 1 / 3]
    )
    # the last is a validation puzzle; the first shares 3 of 5 elements with the ternary one
    assert binary.least_distance == 0
    np.testing.assert_allclose(binary.median_distance, 1 - 3 / 5)
    assert rows.refused.sum() == 1 and rows.least_distance.isna().sum() == 2  # of validation none is asked
