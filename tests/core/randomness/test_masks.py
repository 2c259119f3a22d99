"""Masks hide an exact number of tokens, each token equally often."""

import numpy as np
import pytest

from stages.core.randomness.masks import check_share, draw_masks


@pytest.mark.parametrize(
    ("n_tokens", "fraction", "n_hidden"),
    [(10, 0.5, 5), (94, 0.5, 47), (15, 0.3, 4), (4, 0.01, 1), (4, 0.99, 3)],
)
def test_every_frame_hides_the_same_number(n_tokens: int, fraction: float, n_hidden: int) -> None:
    masks = draw_masks(200, n_tokens, fraction, np.random.default_rng(0))
    assert masks.shape == (200, n_tokens) and masks.dtype == np.bool_
    assert (masks.sum(axis=1) == n_hidden).all()


def test_each_pair_of_tokens_is_hidden_equally_often() -> None:
    masks = draw_masks(20_000, 6, 0.5, np.random.default_rng(0)).astype(float)
    together = masks.T @ masks / len(masks)
    expected = np.where(np.eye(6, dtype=bool), 3 / 6, 3 * 2 / (6 * 5))
    np.testing.assert_allclose(together, expected, atol=5 * 0.5 / np.sqrt(20_000))


def test_a_single_token_cannot_be_masked() -> None:
    with pytest.raises(ValueError, match="1 token to mask, expected at least 2"):
        draw_masks(3, 1, 0.5, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("fraction", "n_tokens", "hidden"), [(0.999, 30, 30), (1e-9, 30, 0), (0.03, 15, 0), (0.9, 4, 4)]
)
def test_a_share_that_rounds_to_none_or_all_is_refused(fraction: float, n_tokens: int, hidden: int) -> None:
    said = f"network.mask_fraction: {fraction:g} given, which hides {hidden} of {n_tokens} tokens"
    with pytest.raises(ValueError, match=said):
        check_share("network.mask_fraction", fraction, n_tokens)
    check_share("network.mask_fraction", 0.5, n_tokens)
