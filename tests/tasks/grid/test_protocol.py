from pathlib import Path

import numpy as np
import pytest

from stages.files.artifacts import read_csv
from stages.tasks.grid.facts import COMPLEXITIES
from stages.tasks.grid.protocol import Protocol, apportion, choose_targets, even, one_line, published

ROOT = Path(__file__).parents[3]
TABLE = read_csv(ROOT / "data/reference/lst_published_givens.csv")
RANGE = range(3, 12)


def test_published_numbers_of_givens_within_a_range() -> None:
    assert published(TABLE, "validation", RANGE).givens["quaternary"] == {4: 3, 5: 9, 6: 9, 7: 9, 9: 6}
    assert published(TABLE, "validation", range(6, 8)).givens["quaternary"] == {6: 9, 7: 9}
    generated, validation = (published(TABLE, name, RANGE) for name in ("generated", "validation"))
    assert (generated.last_cell, generated.turns, validation.turns) == (0.02, 1, 3)
    with pytest.raises(ValueError, match="^grid.min_givens..max_givens: 3..5 given, but no published binary"):
        published(TABLE, "validation", range(3, 6))


def test_puzzles_of_one_line_are_the_binary_ones() -> None:
    of_columns = one_line(published(TABLE, "validation", RANGE), 1.0)
    assert of_columns.givens.keys() == {"binary"} and of_columns.turns == 1
    assert (of_columns.by_columns, of_columns.last_cell) == (1.0, None)


def test_as_many_as_published_are_the_published_counts() -> None:
    assert apportion({3: 1, 4: 2, 5: 4}, 8).tolist() == [3, 4, 4, 5, 5, 5, 5, 5]  # largest remainders
    for name, count in (("generated", 3000), ("validation", 36)):
        protocol = published(TABLE, name, RANGE)  # type: ignore[arg-type]
        for complexity, weights in protocol.givens.items():
            keys, often = np.unique(apportion(weights, count // protocol.turns), return_counts=True)
            counts = dict(zip(keys.tolist(), (protocol.turns * often).tolist(), strict=True))
            assert counts == weights, complexity


@pytest.mark.parametrize(("last_cell", "expected"), [(0.1, 10), (0.0, 0)])
def test_the_last_cell_has_its_share_of_targets_and_the_others_the_rest(
    last_cell: float, expected: int
) -> None:
    protocol = Protocol(even(RANGE).givens, last_cell)
    targets = choose_targets(protocol, 16, 100, np.random.default_rng(0))
    assert targets.shape == (len(COMPLEXITIES), 100)
    for line in targets:
        counts = np.bincount(line, minlength=16)
        assert counts[15] == expected and np.ptp(counts[:15]) <= 1
    assert not (np.diff(targets, axis=1) >= 0).all()
    everywhere = choose_targets(even(RANGE), 16, 20, np.random.default_rng(0))
    assert np.ptp(np.bincount(everywhere.ravel(), minlength=16)) <= 1
