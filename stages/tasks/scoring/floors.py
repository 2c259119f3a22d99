"""Floors are baselines: how well hidden nodes are predicted from visible ones without any learned model.

Every floor takes the covariance of training frames [n, n], frames [T, n] and masks [T, n] (True = hidden).
Frames are z-scored, so that the mean is 0. It returns float64 predictions [T, n] of the hidden nodes, 0 where
a node is visible.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stages.core.settings.errors import InputError
from stages.files.memory_maps import iterate_chunks

Matrix = NDArray[np.float64]
Frames = NDArray[np.floating[Any]]
Masks = NDArray[np.bool_]

CHUNK = 128  # frames solved together; bounds memory


def covariance(training: Frames) -> Matrix:
    """Return the covariance [n, n] of training frames [S, n], divided by S - 1.

    Frames may be more than memory holds. Products are summed as they are: next to no digit is lost where
    means are small compared with deviations.
    """
    n_frames, n = training.shape
    total, products = np.zeros(n), np.zeros((n, n))
    for part in iterate_chunks(training):
        values = part.astype(np.float64)
        total += values.sum(axis=0)
        products += values.T @ values
    return np.asarray((products - np.outer(total, total) / n_frames) / (n_frames - 1))


def gaussian(covariance: Matrix, frames: Frames, masks: Masks, ridge: float) -> Matrix:
    """Return the conditional mean C_hv (C_vv)^-1 x_v of hidden nodes h given visible v.

    C is covariance + ridge I. It is the best prediction there is if frames are draws from one Gaussian. A
    singular covariance needs ridge > 0.
    """
    identity = np.eye(len(covariance))
    ridged = covariance + ridge * identity
    predictions = np.zeros(frames.shape)
    for start in range(0, len(frames), CHUNK):
        part = slice(start, start + CHUNK)
        visible = ~masks[part]
        both = visible[:, :, None] & visible[:, None, :]
        # hidden rows and columns become those of the identity, so that all frames solve in one batch
        padded = np.where(both, ridged, identity)
        weights = np.linalg.solve(padded, (frames[part] * visible)[..., None])[..., 0]
        predictions[part] = np.where(masks[part], weights @ ridged, 0.0)
    return predictions


def first_visible(far: Matrix, correlation: Matrix, frames: Frames, masks: Masks) -> Matrix:
    """Predict each hidden node i as r_ij x_j, j the visible node of least `far`[i, j]; 0 without one."""
    predictions = np.zeros(frames.shape)
    for node in range(frames.shape[1]):
        hidden = np.flatnonzero(masks[:, node])
        order = np.argsort(far[node], kind="stable")
        visible = ~masks[hidden][:, order]
        chosen = order[visible.argmax(axis=1)]
        value = correlation[node, chosen] * frames[hidden, chosen]
        predictions[hidden, node] = np.where(visible.any(axis=1), value, 0.0)
    return predictions


def predict(
    frames: Frames, masks: Masks, covariance: Matrix, ridge: float, coordinates: Matrix | None = None
) -> dict[str, Matrix]:
    """Return predictions [T, n] of every floor by name; `floor_nearest` only with coordinates [n, dim].

    These are the nearest and the most correlated (in magnitude) of the visible nodes, times its training
    correlation.
    """
    deviation = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(deviation, deviation)
    predictions = {
        "floor_zero": np.zeros(frames.shape),  # the mean of z-scored frames
        "floor_correlated": first_visible(-np.abs(correlation), correlation, frames, masks),
        "floor_gaussian": gaussian(covariance, frames, masks, ridge),
    }
    if coordinates is not None:
        distances = np.linalg.norm(coordinates[:, None] - coordinates, axis=-1)
        predictions["floor_nearest"] = first_visible(distances, correlation, frames, masks)
    return predictions


def masked_mse(predictions: Frames, frames: Frames, masks: Masks) -> float:
    """Mean squared error on hidden nodes alone; InputError if none is hidden."""
    if not masks.any():
        raise InputError("masks: no node is hidden, expected one or more; raise mask_fraction")
    return float(np.mean((predictions[masks].astype(np.float64) - frames[masks]) ** 2))
