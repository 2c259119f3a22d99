import numpy as np
import pytest

from stages.core.measures.position_probes import NOISE, folds
from stages.core.measures.read_back import read_back

CODES, N, WIDTH = 5, 12, 24
CONTENTS = np.random.default_rng(0).normal(size=(CODES, WIDTH))
TABLE = np.random.default_rng(1).normal(size=(N, WIDTH))
OF_CONTENTS, OF_PLACES = (folds(size, np.random.default_rng(2)) for size in (CODES, N))


def naive_accuracy(vectors: np.ndarray, others: np.ndarray, fold: np.ndarray) -> float:
    """Fit ridge of the indicators on the tokens themselves, one by one."""
    k, right = len(vectors), 0
    for number in np.unique(fold):
        inside, outside = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        tokens = np.array([vectors[i] + others[j] for j in inside for i in range(k)])
        called = np.array([i for j in inside for i in range(k)])
        mean = tokens.mean(0)
        noise = NOISE * np.mean(tokens.var(0)) * len(tokens)
        rows = np.vstack([tokens - mean, np.sqrt(noise) * np.eye(tokens.shape[1])])
        targets = np.vstack([np.eye(k)[called] - 1 / k, np.zeros((tokens.shape[1], k))])
        weights = np.linalg.lstsq(rows, targets)[0]
        at_mean = [(tokens[called == i].mean(0) - mean) @ weights[:, i] for i in range(k)]
        for j in outside:
            for i in range(k):
                fitted = (vectors[i] + others[j] - mean) @ weights
                right += int(np.argmax(fitted - np.array(at_mean) / 2) == i)
    return right / (k * len(others))


@pytest.mark.parametrize("sigma", [0.1, 0.3, 3.0])
def test_accuracies_are_those_of_ridge_on_every_token(sigma: float) -> None:
    table = sigma * TABLE
    for vectors, others, fold in ((CONTENTS, table, OF_PLACES), (table, CONTENTS, OF_CONTENTS)):
        assert read_back(vectors, others, fold) == pytest.approx(naive_accuracy(vectors, others, fold))


def test_equal_positions_or_contents_are_read_by_chance() -> None:
    same_places, same_contents = np.zeros((N, WIDTH)), np.ones((CODES, WIDTH))
    assert read_back(CONTENTS, same_places, OF_PLACES) == 1.0
    assert read_back(same_places, CONTENTS, OF_CONTENTS) == pytest.approx(1 / N)
    assert read_back(same_contents, TABLE, OF_PLACES) == pytest.approx(1 / CODES)
    assert read_back(TABLE, same_contents, OF_CONTENTS) == 1.0


def test_positions_on_a_line_do_not_hide_each_other() -> None:
    basis = np.eye(CODES + 1)
    line = np.outer(np.arange(N), basis[CODES])
    assert read_back(line, basis[:CODES], OF_CONTENTS) == 1.0
