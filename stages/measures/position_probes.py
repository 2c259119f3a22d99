"""Linear read-outs of position from a table's rows (Wang and Chen 2020, arXiv 2010.04903).

They predict the absolute position, and which of two rows comes first. A table of n rows and d >= n columns
leaves this under-determined: without a penalty any positions could be read from the rows they are fitted to.
So read-outs are penalised (`ridge`), tested on tokens of folds they were not fitted to, and compared
with a null in which the rows' positions are shuffled.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.measures.alignment import Matrix, Permutations, Tables, compare_with_null, tabulate

Single = NDArray[np.float32]
Folds = NDArray[np.int64]  # the fold that each of n tokens is held out in, [n]

FOLDS = 5
NOISE = 0.1  # ridge, as the variance of noise on every column, over the mean variance of a column
TOLERANCE = 1e-3  # of the largest weight, in a step of Newton's method
MAX_STEPS = 50


def folds(n: int, generator: np.random.Generator) -> Folds:
    """Five folds of n tokens, as equal as possible and at random, as the null's shuffles need."""
    return generator.permutation(np.arange(n) % FOLDS)


def ridge(centred: Matrix) -> float:
    """Penalty on squared weights for rows [m, d] of mean 0: as if they carried noise (see NOISE).

    m * NOISE * (mean variance of the columns), for the sum of squared errors over the m rows.
    """
    return float(NOISE * np.square(centred).sum() / centred.shape[1])


def position_error(
    tables: Tables, positions: Mapping[str, Matrix], fold: Folds, shuffles: Permutations
) -> pd.DataFrame:
    """Mean absolute error of positions regressed from rows (ridge), columns `alignment.COLUMNS`.

    positions: reference -> [n] or [n, dim], such as the index or coordinates; the error is in their units,
    the mean over axes. p_value: the share of the null with an error as small. shuffles: [P, n].
    """
    operators = [held_out_operator(table.astype(np.float64), fold) for table in tables]
    parts = []
    for name, position in positions.items():
        true = position.reshape(len(position), -1)
        shuffled = np.concatenate([true[None], true[shuffles]])  # [1 + P, n, dim]
        errors = [np.abs(operator @ shuffled - shuffled).mean(axis=(1, 2)) for operator in operators]
        negative = -np.array(errors).T  # small errors align well
        aligned = compare_with_null(negative[0], negative[1:])
        parts.append(tabulate(aligned.assign(value=-aligned.value), name, "position_mae"))
    table = pd.concat(parts, ignore_index=True)
    return table.assign(null_mean=-table.null_mean)


def held_out_operator(table: Matrix, fold: Folds) -> Matrix:
    """[n, n], times any targets [n]: each token's target as predicted by ridge without the token's fold."""
    operator = np.zeros((len(table),) * 2)
    for number in np.unique(fold):
        out, within = fold == number, fold != number
        mean = table[within].mean(axis=0)
        centred = table[within] - mean
        gram = centred @ centred.T
        weights = (table[out] - mean) @ centred.T @ np.linalg.pinv(gram + ridge(centred) * np.eye(len(gram)))
        # targets, too, are centred on the mean of those fitted
        operator[np.ix_(out, within)] = weights + (1 - weights.sum(axis=1, keepdims=True)) / within.sum()
    return operator


def order_accuracy(tables: Tables, fold: Folds, shuffles: Permutations) -> pd.DataFrame:
    """Share of pairs of tokens of one fold whose order by index is read correctly, `alignment.COLUMNS`.

    Logistic regression of "comes later" on the pair's two rows side by side, fitted to all ordered pairs of
    tokens outside the fold. Each pair comes both ways round, so the weights of the second row are minus those
    of the first, and there is no intercept: the fit scores single rows, z = w x, and P(i after j) =
    1 / (1 + exp(z_j - z_i)). Pairs with equal scores count half. NaN where no fold has two tokens.
    """
    indices = np.concatenate([np.arange(len(fold))[None], shuffles])  # [1 + P, n]
    shares = [right_pairs(table.astype(np.float64), fold, indices) for table in tables]
    accuracy = np.array(shares).T
    return tabulate(compare_with_null(accuracy[0], accuracy[1:]), "index", "order_accuracy")


def right_pairs(table: Matrix, fold: Folds, indices: Permutations) -> Matrix:
    """Share of held-out pairs in the right order, for each of the orders indices [P, n]."""
    right, total = np.zeros(len(indices)), 0
    for number in np.unique(fold):
        out, within = fold == number, fold != number
        mean = table[within].mean(axis=0)
        weights = order_weights(table[within] - mean, indices[:, within])
        agree = signs(weights @ (table[out] - mean).T) * signs(indices[:, out])
        pairs = np.triu_indices(int(out.sum()), k=1)
        right += (1 + agree[:, *pairs]).sum(axis=1) / 2
        total += len(pairs[0])
    return right / (total or np.nan)


def order_weights(centred: Matrix, indices: Permutations) -> Matrix:
    """w [P, d] for rows [m, d] of mean 0 in each of the orders indices [P, m], by Newton's method.

    Minimises the sum over pairs of log(1 + exp(-s_ij (w x_i - w x_j))), s_ij = 1 where i comes after j, else
    -1, plus a penalty on w^2. A pair's curvature is at most 1/4: at w = 0 the sum's is m / 4 times that of
    squared errors, and so is the penalty.
    """
    left, lengths, axes = np.linalg.svd(centred, full_matrices=False)
    # on the axes of their span; single precision is twice as fast, and finer than the tolerance
    inside = (left * lengths).astype(np.float32)
    m, r = inside.shape
    penalty = np.float32(ridge(centred) * m / 4)
    later = signs(indices).sum(axis=2) / 2
    weights = np.zeros((len(indices), r), np.float32)
    for _ in range(MAX_STEPS if penalty > 0 else 0):
        halves = np.tanh(differences(weights @ inside.T) / 2)
        gradient = (halves.sum(axis=2) / 2 - later) @ inside + penalty * weights
        curvature = (halves**2 - 1) / 4
        curvature[:, np.arange(m), np.arange(m)] -= curvature.sum(axis=2)
        hessian = inside.T @ (curvature @ inside) + penalty * np.eye(r, dtype=np.float32)
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        weights = weights - step
        if np.abs(step).max() <= TOLERANCE * np.abs(weights).max():
            break
    return np.asarray(weights @ axes)


def signs(values: Single | Permutations) -> Single:
    """[P, n] -> [P, n, n]: 1 where the row's value is larger than the column's, -1 smaller, 0 equal."""
    return np.sign(differences(values.astype(np.float32)))


def differences(values: Single) -> Single:
    """[P, n] -> [P, n, n], the row's value less the column's."""
    return values[:, :, None] - values[:, None, :]
