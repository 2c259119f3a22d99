"""The nonlinear floor where the best prediction is known."""

import numpy as np
import pytest

from stages.core.randomness.masks import draw_masks
from stages.tasks.network.nonlinear_floor import fit_trees, predict_hidden
from stages.tasks.scoring.floors import covariance, gaussian, masked_mse

N = 4


@pytest.fixture(scope="module")
def split() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw tokens that share a sign, each with its own noise: training frames, further ones, their masks."""
    random = np.random.default_rng(0)
    frames = random.choice([-1.0, 1.0], (9000, 1)) + 0.6 * random.standard_normal((9000, N))
    return frames[:6000], frames[6000:], draw_masks(3000, N, 0.5, random)


def test_it_nears_the_best_prediction_that_there_is(split: tuple[np.ndarray, ...]) -> None:
    """Given visible x the sign's mean is tanh(sum x / sigma^2); the Gaussian's is linear."""
    training, frames, masks = split
    best = np.tanh(np.where(masks, 0, frames).sum(axis=1, keepdims=True) / 0.6**2) * np.ones(N)
    trees = predict_hidden(fit_trees(training, 0.5, np.random.default_rng(1)), frames, masks)
    linear = gaussian(covariance(training), frames, masks, 0.0)
    least, found, straight = (masked_mse(each, frames, masks) for each in (best, trees, linear))
    assert least <= found < 1.06 * least < 0.9 * straight


def test_visible_tokens_are_0_and_hidden_values_do_not_matter(split: tuple[np.ndarray, ...]) -> None:
    training, frames, masks = split
    trees = fit_trees(training[:500], 0.5, np.random.default_rng(1))
    predicted = predict_hidden(trees, frames, masks)
    assert (predicted[~masks] == 0).all() and (predicted[masks] != 0).all()
    np.testing.assert_array_equal(predict_hidden(trees, np.where(masks, 99.0, frames), masks), predicted)
