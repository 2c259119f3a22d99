"""Whether content and position can each be read back from their sum, x + P (asked of Vaswani et al. 2017).

Tokens are all sums of a content vector and a table's row. One linear probe predicts the content of tokens, at
positions it was not fitted to; another predicts the position, for contents it was not fitted to. The null
shuffles the labels: of contents, at every position on its own; of positions, at every content.

A probe is ridge regression of each label's indicator, f_i(token). It chooses the largest
f_i(token) - f_i(mean token of i) / 2, the nearest mean in the metric of the fit. The largest f_i itself would
never choose a mean between others, such as those of positions on a line (Hastie et al. 2009, The Elements of
Statistical Learning, 4.2).
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.measures.alignment import Matrix, Tables, compare_with_null, tabulate
from stages.measures.position_probes import NOISE, Folds, folds

Labels = NDArray[np.int64]  # [P, m, k]: label of vector i when added to vector j, per shuffle


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
    tables: Tables, others: Tables, count: int, generator: np.random.Generator, reference: str, measure: str
) -> pd.DataFrame:
    """Accuracy of telling a token's vector of `tables` [k, d], held out by its vector of `others` [m, d]."""
    k, m = len(tables[0]), len(others[0])
    assert min(k, m) > 1
    fold = folds(m, generator)
    true = np.broadcast_to(np.arange(k), (1, m, k))
    labels = np.concatenate([true, generator.permuted(np.repeat(true, count, axis=0), axis=-1)])
    right = np.array([accuracy(*pair, fold, labels) for pair in zip(tables, others, strict=True)]).T
    return tabulate(compare_with_null(right[0], right[1:]), reference, measure)


def accuracy(
    vectors: NDArray[np.floating], others: NDArray[np.floating], fold: Folds, labels: Labels
) -> Matrix:
    """Share of held-out tokens vectors[i] + others[j] that get their label, [P]; fold [m] of the others."""
    centred = vectors - vectors.mean(axis=0, dtype=np.float64)
    right = np.zeros(len(labels))
    for number in np.unique(fold):
        out, within = fold == number, fold != number
        mean = others[within].mean(axis=0, dtype=np.float64)
        metric = inverse_covariance(centred, others[within] - mean)
        # of the tokens with a label (row), the share that holds a vector (column)
        mixture = np.mean(labels[:, within, None, :] == np.arange(len(vectors))[:, None], axis=1)
        right += count_right(centred, others[out] - mean, metric, mixture, labels[:, out])
    return np.asarray(right / labels[0].size)


def inverse_covariance(vectors: Matrix, others: Matrix) -> Matrix:
    """[d, d] of all sums of a row of `vectors` and one of `others`, each of mean 0, with noise added."""
    covariance = vectors.T @ vectors / len(vectors) + others.T @ others / len(others)
    noise = NOISE * np.trace(covariance) / len(covariance)
    return np.linalg.pinv(covariance + noise * np.eye(len(covariance)))


def count_right(vectors: Matrix, out: Matrix, metric: Matrix, mixture: Matrix, labels: Labels) -> Matrix:
    """Number of tokens vectors[i] + out[j] to which the probe gives their label, [P].

    mixture [P, k, k]: a label's mean token is mixture @ vectors, relative to the mean of all.
    """
    similarity = vectors @ metric @ vectors.T
    fitted = mixture @ similarity  # [P, label, i], f up to constants and a common factor
    at_means = np.einsum("pni,pni->pn", fitted, mixture)
    of_others = mixture @ (vectors @ metric @ out.T)  # [P, label, j]
    right = np.zeros(len(labels))
    for j in range(len(out)):
        scores = fitted + (of_others[:, :, j] - at_means / 2)[:, :, None]
        right += np.sum(scores.argmax(axis=1) == labels[:, j], axis=1)
    return right
