"""A floor that need not be linear: each token from the visible ones by gradient-boosted trees.

Where it is better than the Gaussian floor, frames are no draws from one Gaussian. Trees take hidden values as
missing, so one of them per token serves every mask. Source: Friedman 2001, doi 10.1214/aos/1013203451; the
histograms of scikit-learn.
"""

from collections.abc import Sequence

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

from stages.core.randomness.masks import draw_masks
from stages.tasks.scoring.floors import Frames, Masks, Matrix

MASKS_PER_FRAME = 4  # of each training frame
MOST_TREES, FRAMES_PER_TREE = 200, 10  # for each token; few frames, as of a trial run, carry few trees
# ASSUME small trees of many frames in each leaf: chosen on one simulated network, larger ones were worse
TREES = {"learning_rate": 0.05, "max_leaf_nodes": 15, "min_samples_leaf": 100}


def fit_trees(
    frames: Frames, mask_fraction: float, random: np.random.Generator
) -> list[HistGradientBoostingRegressor]:
    """Fit trees that predict each of n tokens from the others, n - 1 columns, on training frames [T, n]."""
    shown = np.concatenate([frames] * MASKS_PER_FRAME)
    seen = hide(shown, draw_masks(len(shown), shown.shape[1], mask_fraction, random))
    settings = TREES | {"max_iter": min(MOST_TREES, max(len(frames) // FRAMES_PER_TREE, 1))}
    return [
        HistGradientBoostingRegressor(early_stopping=False, random_state=0, **settings).fit(
            np.delete(seen, token, axis=1), shown[:, token]
        )
        for token in range(frames.shape[1])
    ]


def predict_hidden(trees: Sequence[HistGradientBoostingRegressor], frames: Frames, masks: Masks) -> Matrix:
    """Return predictions [T, n] of frames [T, n] where masks [T, n] hide, 0 elsewhere."""
    seen, predictions = hide(frames, masks), np.zeros(frames.shape)
    for token, tree in enumerate(trees):
        hidden = masks[:, token]
        if hidden.any():
            predictions[hidden, token] = tree.predict(np.delete(seen[hidden], token, axis=1))
    return predictions


def hide(frames: Frames, masks: Masks) -> Matrix:
    """Hide frames: NaN where they are hidden."""
    return np.where(masks, np.nan, frames.astype(np.float64))
