import numpy as np
import pytest

from stages.measures import read_back as reading
from stages.measures.position_probes import NOISE, folds

CODES, N, WIDTH = 5, 12, 24
CONTENTS = np.random.default_rng(0).normal(size=(CODES, WIDTH))
TABLE = np.random.default_rng(1).normal(size=(N, WIDTH))


def read(contents: np.ndarray, table: np.ndarray, count: int = 39) -> dict[str, tuple[float, float, float]]:
    rows = reading.read_back([contents], [table], count, np.random.default_rng(2)).set_index("measure")
    measures = ("content_accuracy", "position_accuracy")
    return {name: tuple(rows.loc[name, ["value", "null_mean", "p_value"]]) for name in measures}


def naive_accuracy(vectors: np.ndarray, others: np.ndarray, fold: np.ndarray, names: np.ndarray) -> float:
    """Ridge of the indicators on the tokens themselves, one by one; names [m, k]."""
    k, right = len(vectors), 0
    for number in np.unique(fold):
        inside, outside = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        tokens = np.array([vectors[i] + others[j] for j in inside for i in range(k)])
        called = np.array([names[j, i] for j in inside for i in range(k)])
        mean = tokens.mean(0)
        noise = NOISE * np.mean(tokens.var(0)) * len(tokens)
        rows = np.vstack([tokens - mean, np.sqrt(noise) * np.eye(tokens.shape[1])])
        targets = np.vstack([np.eye(k)[called] - 1 / k, np.zeros((tokens.shape[1], k))])
        weights = np.linalg.lstsq(rows, targets)[0]
        at_mean = [(tokens[called == i].mean(0) - mean) @ weights[:, i] for i in range(k)]
        for j in outside:
            for i in range(k):
                fitted = (vectors[i] + others[j] - mean) @ weights
                right += int(np.argmax(fitted - np.array(at_mean) / 2) == names[j, i])
    return right / names.size


@pytest.mark.parametrize("sigma", [0.3, 3.0])
def test_accuracies_are_those_of_ridge_on_every_token(sigma: float) -> None:
    random = np.random.default_rng(3)
    fold, true = folds(N, random), np.tile(np.arange(CODES), (N, 1))
    names = np.stack([true, *(random.permuted(true, axis=1) for _ in range(6))])
    shares = reading.accuracy(CONTENTS, sigma * TABLE, fold, names)
    expected = [naive_accuracy(CONTENTS, sigma * TABLE, fold, labels) for labels in names]
    np.testing.assert_allclose(shares, expected)
    assert shares[0] > max(shares[1:])


def test_what_can_be_read_lies_outside_the_null() -> None:
    numbers = read(CONTENTS, TABLE)
    assert numbers["content_accuracy"][1] == pytest.approx(1 / CODES, abs=0.05)
    assert numbers["position_accuracy"][1] == pytest.approx(1 / N, abs=0.04)
    assert numbers["content_accuracy"][2] == numbers["position_accuracy"][2] == 1 / 40
    assert read(CONTENTS, TABLE, count=1)["content_accuracy"][1] < 0.4  # the true labels are not in the null


def test_equal_positions_or_contents_are_read_by_chance() -> None:
    without = read(CONTENTS, np.zeros((N, WIDTH)))
    assert without["content_accuracy"][0] == 1.0
    assert without["position_accuracy"] == pytest.approx((1 / N, 1 / N, 1.0))
    same = read(np.ones((CODES, WIDTH)), TABLE)
    assert same["content_accuracy"] == pytest.approx((1 / CODES, 1 / CODES, 1.0))
    assert same["position_accuracy"][0] == 1.0


def test_positions_on_a_line_do_not_hide_each_other() -> None:
    basis = np.eye(CODES + 1)
    line = np.outer(np.arange(N), basis[CODES])
    assert read(basis[:CODES], line)["position_accuracy"][0] == 1.0
