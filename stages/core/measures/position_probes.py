"""Linear read-outs of position from a table's rows (Wang and Chen 2020, arXiv 2010.04903).

They predict the absolute position, and which of two rows comes first. A table of n rows and d >= n columns
leaves this under-determined: without a penalty any positions could be read from the rows they are fitted to.
So read-outs are penalised (`ridge`), and tested on tokens of folds they were not fitted to.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve
from sklearn.linear_model import LogisticRegression

from ..positions.positions import Matrix
from .alignment import upper_triangle

Folds = NDArray[np.int64]  # the fold that each of n tokens is held out in, [n]

FOLDS = 5
NOISE = 0.1  # ridge, as the variance of noise on every column, over the mean variance of a column


def folds(n: int, generator: np.random.Generator) -> Folds:
    """Split n tokens into five folds, as equal as possible and at random."""
    return generator.permutation(np.arange(n) % FOLDS)


def ridge(centred: Matrix) -> float:
    """Return the penalty on squared weights for rows [m, d] of mean 0: as if they carried noise (see NOISE).

    m * NOISE * (mean variance of the columns), for the sum of squared errors over the m rows.
    """
    return float(NOISE * np.square(centred).sum() / centred.shape[1])


def predict(table: Matrix, targets: Matrix, fold: Folds) -> Matrix:
    """Predict targets [n, k] of each row, by ridge regression on the rows [n, d] of other folds."""
    read = np.empty_like(targets)
    for number in np.unique(fold):
        out, within = fold == number, fold != number
        mean, middle = table[within].mean(axis=0), targets[within].mean(axis=0)
        rows, wanted = table[within] - mean, targets[within] - middle
        penalty = ridge(rows) or 1.0  # all rows equal
        # of two equal solutions that with fewer unknowns
        if len(rows) < rows.shape[1]:
            weights = rows.T @ solve(rows @ rows.T + penalty * np.eye(len(rows)), wanted, assume_a="pos")
        else:
            weights = solve(rows.T @ rows + penalty * np.eye(rows.shape[1]), rows.T @ wanted, assume_a="pos")
        read[out] = middle + (table[out] - mean) @ weights
    return read


def position_error(table: Matrix, positions: Matrix, fold: Folds) -> float:
    """Mean absolute error of positions [n] or [n, dim] read from rows, in their units; the mean over axes."""
    true = positions.reshape(len(positions), -1)
    return float(np.abs(predict(table, true, fold) - true).mean())


def order_accuracy(table: Matrix, fold: Folds) -> float:
    """Return the share of pairs of tokens of one fold whose order by index is read correctly.

    Logistic regression of "comes later" on the pair's two rows side by side, fitted to all pairs of tokens
    outside the fold. Each pair comes both ways round, so the weights of the second row are minus those of the
    first, and there is no intercept: it is fitted to differences of rows. Pairs with equal scores count half.
    NaN where no fold has two tokens.
    """
    right, total = 0.0, 0
    for number in np.unique(fold):
        out, within = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        scores = table[out] @ fit_order(table[within])
        agree = upper_triangle(np.sign(scores - scores[:, None]))  # out is in the order of the index
        right += float((1 + agree).sum()) / 2
        total += len(agree)
    return right / total if total else np.nan


def fit_order(rows: Matrix) -> Matrix:
    """Fit w [d] for rows [m, d] in their order, so that P(i comes after j) = 1 / (1 + exp(w x_j - w x_i)).

    It minimises the sum over pairs of minus the logarithm of that, plus a penalty on w^2. A pair's curvature
    is at most 1/4: at w = 0 the sum's is m / 4 times that of squared errors, and so is the penalty.
    """
    m = len(rows)
    penalty = ridge(rows - rows.mean(axis=0)) * m / 4
    if penalty == 0:
        return np.zeros(rows.shape[1])
    first, second = np.nonzero(~np.eye(m, dtype=np.bool_))  # every pair, both ways round
    model = LogisticRegression(C=1 / (2 * penalty), fit_intercept=False, solver="newton-cholesky")
    return np.asarray(model.fit(rows[first] - rows[second], first > second).coef_[0])
