import numpy as np
import pytest
from small_studies import make_scores

from stages.studies.judging.pairing import Side, find_pairs, pair_means, pair_seeds

ROWS = make_scores(
    {
        ("learned", "0.2"): [1, 2, 3],
        ("learned", "2"): [4, 5, 6],
        ("random", "0.2"): [7, 8],
        ("random", "1"): [9, 9],
        ("none", ""): [1, np.nan, np.inf, 4],
        ("floor_gaussian", ""): [0.5],
    }
)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("learned", "random", [("0.2", "0.2")]),
        ("learned", "none", [("0.2", ""), ("2", "")]),
        ("none", "learned@2", [("", "2")]),
        ("learned@0.2", "learned@2", [("0.2", "2")]),
        ("learned", "floor_gaussian", [("0.2", ""), ("2", "")]),
        ("learned", "absent", []),
        ("learned@1", "none", []),
    ],
)
def test_sides_stand_at_the_same_value_or_beside_each(
    a: str, b: str, expected: list[tuple[str, str]]
) -> None:
    found = find_pairs(ROWS, a, b)
    assert [(one[1], other[1]) for one, other in found] == expected


@pytest.mark.parametrize(
    ("a", "b", "ours", "theirs"),
    [
        (("learned", "0.2"), ("learned", "2"), [1, 2, 3], [4, 5, 6]),
        (("learned", "0.2"), ("random", "0.2"), [1, 2], [7, 8]),  # seeds that both have
        (("learned", "0.2"), ("none", ""), [1], [1]),  # and that are numbers
        (("learned", "0.2"), ("floor_gaussian", ""), [1, 2, 3], [0.5, 0.5, 0.5]),
        (("floor_gaussian", ""), ("learned", "0.2"), [0.5, 0.5, 0.5], [1, 2, 3]),
        (("learned", "0.2"), ("floor_trees", ""), [], []),
    ],
)
def test_values_are_paired_by_seed(a: Side, b: Side, ours: list[float], theirs: list[float]) -> None:
    pair = pair_seeds(ROWS, a, b)
    assert [values.tolist() for values in pair] == [ours, theirs]


def test_order_of_rows_does_not_matter() -> None:
    both = pair_seeds(ROWS[::-1], ("learned", "0.2"), ("learned", "2"))
    np.testing.assert_array_equal(both[1] - both[0], [3, 3, 3])


def test_means_are_of_shared_seeds_at_each_value_that_both_have() -> None:
    ours, others, seeds = pair_means(ROWS, "learned", "random", ["0.2", "1", "2"])
    assert (ours.tolist(), others.tolist(), seeds) == ([1.5], [7.5], [2])  # of seeds 0 and 1
    ours, others, _ = pair_means(ROWS, "learned", "floor_gaussian", ["0.2", "2"])
    assert (ours.tolist(), others.tolist()) == ([2, 5], [0.5, 0.5])
    *swapped, _ = pair_means(ROWS, "floor_gaussian", "learned", ["0.2", "2"])
    assert [side.tolist() for side in swapped] == [others.tolist(), ours.tolist()]
    assert not len(pair_means(ROWS, "learned", "absent", ["0.2"])[0])
