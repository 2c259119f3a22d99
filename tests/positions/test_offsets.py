import pytest
import torch

from stages.positions.offsets import (
    clip_offsets,
    gather_by_offset,
    mask_future,
    offsets,
    offsets_seen,
    spread_to_pairs,
)

ROWS = [slice(None), slice(-1, None), slice(0, 1), slice(2, 5)]


def test_offsets_are_key_minus_query() -> None:
    assert offsets(torch.arange(-1, 3), slice(1, 3)).tolist() == [[-1, 0, 1, 2], [-2, -1, 0, 1]]


def test_clipped_offsets_start_at_zero() -> None:
    assert clip_offsets(torch.arange(-4, 5), 2).tolist() == [0, 0, 0, 1, 2, 3, 4, 4, 4]


@pytest.mark.parametrize(("n", "rows"), [(1, slice(None)), (2, slice(None)), *((6, rows) for rows in ROWS)])
def test_pairs_find_their_offset(n: int, rows: slice) -> None:
    query = 100 * torch.arange(n)[rows, None]
    scores = query + torch.arange(1 - n, n)[offsets_seen(n, rows)]
    assert scores.shape[1] == n + len(query) - 1
    assert torch.equal(spread_to_pairs(scores[None])[0], query + offsets(torch.arange(n), rows))


@pytest.mark.parametrize("rows", ROWS)
def test_weights_by_offset_undo_pairs(rows: slice) -> None:
    """The inner product with any scores is the same on both sides."""
    n, m = 6, len(range(6)[rows])
    torch.manual_seed(0)
    weights, scores = torch.randn(2, m, n).double(), torch.randn(2, m, n + m - 1).double()
    torch.testing.assert_close(
        (gather_by_offset(weights) * scores).sum(), (weights * spread_to_pairs(scores)).sum()
    )


def test_the_future_is_cut() -> None:
    cut = mask_future(torch.zeros(1, 2, 3), slice(1, 3))
    assert cut.tolist() == [[[0, 0, -torch.inf], [0, 0, 0]]]
