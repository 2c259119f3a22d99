"""Whether content and position can each be read back from their sum, x + P (asked of Vaswani et al. 2017).

Tokens are all the sums of a content vector and a table's row. A linear probe tells the content of tokens at
positions it was not fitted to; another tells the position of tokens whose content it was not fitted to. The
null are probes fitted and tested where, at every position on its own, the contents' names are shuffled; for
the other probe the positions', at every content.

The probe is ridge regression of each name's indicator, f_i(token). The name is that with the largest
f_i(token) - f_i(mean token of i) / 2, which is the nearest mean in the metric of the fit: the largest f_i
itself would never choose a mean that lies between others (Hastie et al. 2009, The Elements of Statistical
Learning, 4.2), such as those of positions on a line.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.measures.alignment import Matrix, Tables, compare_with_null, tabulate
from stages.measures.held_out import NOISE, Folds, folds

Names = NDArray[np.int64]  # [P, m, k], the name that goes by vector i where it is added to other j


def read_back(contents: Tables, tables: Tables, count: int, generator: np.random.Generator) -> pd.DataFrame:
    """Accuracies of both probes for each table [n, d] with its contents [codes, d], `alignment.COLUMNS`.

    content_accuracy (reference `content`; chance is 1 / codes) and position_accuracy (reference `index`;
    chance is 1 / n). count: of shuffles in the null. At least two contents, as many in every table.
    """
    return pd.concat(
        [
            decode(contents, tables, count, generator, "content", "content_accuracy"),
            decode(tables, contents, count, generator, "index", "position_accuracy"),
        ],
        ignore_index=True,
    )


def decode(
    told: Tables, others: Tables, count: int, generator: np.random.Generator, reference: str, measure: str
) -> pd.DataFrame:
    """How well a token's vector of `told` [k, d] is told, held out by its vector of `others` [m, d]."""
    k, m = len(told[0]), len(others[0])
    assert min(k, m) > 1
    fold = folds(m, generator)
    true = np.broadcast_to(np.arange(k), (1, m, k))
    names = np.concatenate([true, generator.permuted(np.repeat(true, count, axis=0), axis=-1)])
    found = np.array([accuracy(own, other, fold, names) for own, other in zip(told, others, strict=True)]).T
    return tabulate(compare_with_null(found[0], found[1:]), reference, measure)


def accuracy(
    vectors: NDArray[np.floating], others: NDArray[np.floating], fold: Folds, names: Names
) -> Matrix:
    """Share of held-out tokens vectors[i] + others[j] told by their names, [P]; fold [m] of the others."""
    own = vectors - vectors.mean(axis=0, dtype=np.float64)
    right = np.zeros(len(names))
    for number in np.unique(fold):
        out, within = fold == number, fold != number
        mean = others[within].mean(axis=0, dtype=np.float64)
        metric = inverse_covariance(own, others[within] - mean)
        right += right_answers(own, others[out] - mean, metric, shares(names[:, within]), names[:, out])
    return np.asarray(right / names[0].size)


def inverse_covariance(vectors: Matrix, others: Matrix) -> Matrix:
    """[d, d] of all sums of a row of `vectors` and one of `others`, each of mean 0, with noise added."""
    covariance = vectors.T @ vectors / len(vectors) + others.T @ others / len(others)
    noise = NOISE * np.trace(covariance) / len(covariance)
    return np.linalg.pinv(covariance + noise * np.eye(len(covariance)))


def shares(names: Names) -> Matrix:
    """[P, k, k]: of the tokens with a name (row), the share that holds a vector (column)."""
    return np.asarray(np.mean(names[:, :, None, :] == np.arange(names.shape[2])[:, None], axis=1))


def right_answers(own: Matrix, out: Matrix, metric: Matrix, mixture: Matrix, names: Names) -> Matrix:
    """Number of tokens own[i] + out[j] whose name the probe tells, [P].

    mixture [P, k, k]: a name's mean token is mixture @ own, about the mean of all.
    """
    similarity = own @ metric @ own.T
    fitted = mixture @ similarity  # [P, name, i], f but for constants and a common factor
    at_means = np.einsum("pni,pni->pn", fitted, mixture)
    of_others = mixture @ (own @ metric @ out.T)  # [P, name, j]
    right = np.zeros(len(names))
    for j in range(len(out)):
        scores = fitted + (of_others[:, :, j] - at_means / 2)[:, :, None]
        right += np.sum(scores.argmax(axis=1) == names[:, j], axis=1)
    return right
