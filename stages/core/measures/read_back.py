"""Read content and position back, each from their sum, x + P (a question about Vaswani et al. 2017).

Tokens are all sums of a content vector and a table's row. One linear probe predicts the content of tokens, at
positions it was not fitted to; another predicts the position, for contents it was not fitted to.

A probe is ridge regression of each label's indicator, f_i(token). It chooses the largest f_i(token) -
f_i(mean token of i) / 2, the nearest mean in the metric of the fit. The largest f_i itself would never choose
a mean between others, such as those of positions on a line (Hastie et al. 2009, The Elements of Statistical
Learning, 4.2).
"""

import numpy as np

from ..positions.positions import Matrix
from .position_probes import NOISE, Folds


def read_back(vectors: Matrix, others: Matrix, fold: Folds) -> float:
    """Return the share of tokens vectors[i] + others[j] of which i is read; vectors [k, d], others [m, d].

    fold [m]: in which each of the others is held out. Chance is 1 / k.
    """
    centred = vectors - vectors.mean(axis=0)
    right = 0
    for number in np.unique(fold):
        out, within = fold == number, fold != number
        mean = others[within].mean(axis=0)
        metric = inverse_covariance(centred, others[within] - mean)
        fitted = centred @ metric @ centred.T  # [label, i], f up to constants and a common factor
        of_others = centred @ metric @ (others[out] - mean).T - np.diag(fitted)[:, None] / 2  # [label, j]
        told = np.argmax(fitted[:, :, None] + of_others[:, None], axis=0)  # [i, j]
        right += int(np.sum(told == np.arange(len(vectors))[:, None]))
    return right / (len(vectors) * len(others))


def inverse_covariance(vectors: Matrix, others: Matrix) -> Matrix:
    """Return the inverse covariance [d, d] of all sums of a row of `vectors` and one of `others`.

    Each is of mean 0, with noise added.
    """
    covariance = vectors.T @ vectors / len(vectors) + others.T @ others / len(others)
    noise = NOISE * np.trace(covariance) / len(covariance)
    return np.linalg.pinv(covariance + noise * np.eye(len(covariance)))
