import pytest
import torch

from stages.numerics.offsets import at_offsets, at_pairs, clipped, met, offsets, without_future

ROWS = [slice(None), slice(-1, None), slice(0, 1), slice(2, 5)]


def test_offsets_are_key_minus_query() -> None:
    assert offsets(torch.arange(-1, 3), slice(1, 3)).tolist() == [[-1, 0, 1, 2], [-2, -1, 0, 1]]


def test_clipped_offsets_start_at_zero() -> None:
    assert clipped(torch.arange(-4, 5), 2).tolist() == [0, 0, 0, 1, 2, 3, 4, 4, 4]


@pytest.mark.parametrize("n", [1, 2, 6])
@pytest.mark.parametrize("rows", ROWS)
def test_pairs_find_their_offset(n: int, rows: slice) -> None:
    m = len(range(n)[rows])
    known = torch.arange(1 - n, n)[met(n, rows)]
    assert len(known) == (n + m - 1 if m else 0) or m == 0
    scores = 100 * torch.arange(m)[:, None] + known
    expected = 100 * torch.arange(m)[:, None] + offsets(torch.arange(n), rows)
    if m:
        assert torch.equal(at_pairs(scores[None])[0], expected)


@pytest.mark.parametrize("rows", ROWS)
def test_weights_by_offset_undo_pairs(rows: slice) -> None:
    """The inner product with any scores is the same on both sides."""
    n, m = 6, len(range(6)[rows])
    torch.manual_seed(0)
    weights, scores = torch.randn(2, m, n).double(), torch.randn(2, m, n + m - 1).double()
    torch.testing.assert_close((at_offsets(weights) * scores).sum(), (weights * at_pairs(scores)).sum())


def test_the_future_is_cut() -> None:
    cut = without_future(torch.zeros(1, 2, 3), slice(1, 3))
    assert cut.tolist() == [[[0, 0, -torch.inf], [0, 0, 0]]]
