"""Honest floors: how well hidden nodes are predicted from the visible ones without any learned model.

Every floor takes training frames [S, n], frames [T, n] and masks [T, n] (True = hidden), z-scored so that the
mean is 0, and returns float64 predictions [T, n] of the hidden nodes, 0 where a node is visible.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Frames = NDArray[np.floating[Any]]
Masks = NDArray[np.bool_]

CHUNK = 128  # frames solved together; bounds memory


def zero(training: Frames, frames: Frames, masks: Masks) -> Matrix:
    """The mean of z-scored frames, 0."""
    return np.zeros(frames.shape)


def nearest(training: Frames, frames: Frames, masks: Masks, coordinates: Matrix) -> Matrix:
    """The nearest visible node's value times their training correlation; coordinates: [n, dim]."""
    distances = np.linalg.norm(coordinates[:, None] - coordinates, axis=-1)
    return _from_first_visible(distances, _correlation(training), frames, masks)


def most_correlated(training: Frames, frames: Frames, masks: Masks) -> Matrix:
    """The value of the visible node of largest training correlation r (in magnitude), times r."""
    correlation = _correlation(training)
    return _from_first_visible(-np.abs(correlation), correlation, frames, masks)


def gaussian(training: Frames, frames: Frames, masks: Masks, ridge: float) -> Matrix:
    """Conditional mean C_hv (C_vv)^-1 x_v of hidden nodes h given visible v, C training covariance + ridge I.

    The best prediction there is if frames are draws from one Gaussian; a singular covariance needs ridge > 0.
    """
    covariance = np.cov(training, rowvar=False).astype(np.float64) + ridge * np.eye(training.shape[1])
    predictions = np.zeros(frames.shape)
    for start in range(0, len(frames), CHUNK):
        part = slice(start, start + CHUNK)
        predictions[part] = _conditional_mean(covariance, frames[part], masks[part])
    return predictions


def masked_mse(predictions: Frames, frames: Frames, masks: Masks) -> float:
    """Mean squared error on hidden nodes alone; ValueError if none is hidden."""
    if not masks.any():
        raise ValueError("masks: no node is hidden, expected one or more; raise mask_fraction")
    return float(np.mean((predictions[masks].astype(np.float64) - frames[masks]) ** 2))


def _correlation(training: Frames) -> Matrix:
    return np.asarray(np.corrcoef(training, rowvar=False), dtype=np.float64)


def _from_first_visible(far: Matrix, correlation: Matrix, frames: Frames, masks: Masks) -> Matrix:
    """Each hidden node i as r_ij x_j, j the visible node of least `far`[i, j]; 0 where none is visible."""
    predictions = np.zeros(frames.shape)
    for node in range(frames.shape[1]):
        hidden = np.flatnonzero(masks[:, node])
        order = np.argsort(far[node], kind="stable")
        visible = ~masks[hidden][:, order]
        chosen = order[visible.argmax(axis=1)]
        value = correlation[node, chosen] * frames[hidden, chosen]
        predictions[hidden, node] = np.where(visible.any(axis=1), value, 0.0)
    return predictions


def _conditional_mean(covariance: Matrix, frames: Frames, masks: Masks) -> Matrix:
    """Hidden rows and columns become those of the identity, so that all frames solve in one batch."""
    visible = ~masks
    both = visible[:, :, None] & visible[:, None, :]
    padded = np.where(both, covariance, np.eye(len(covariance)))
    weights = np.linalg.solve(padded, (frames * visible)[..., None])[..., 0]
    return np.asarray(np.where(masks, weights @ covariance, 0.0))
