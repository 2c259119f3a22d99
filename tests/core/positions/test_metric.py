import numpy as np
import pytest

from stages.core.positions.metric import are_distances

PLACES = np.random.default_rng(0).uniform(size=(30, 3))
FAR = np.linalg.norm(PLACES[:, None] - PLACES, axis=-1)
APART = 1 - np.eye(30)
DRAWN = np.random.default_rng(1).exponential(size=(30, 30))


@pytest.mark.parametrize(
    "numbers", [FAR, (1000 * FAR).round(), np.abs(np.subtract.outer(np.arange(9), np.arange(9))) * 10.0]
)
def test_distances_are_told(numbers: np.ndarray) -> None:
    assert are_distances(numbers)


def test_many_distances_are_told_by_some() -> None:
    line = np.arange(1000.0)
    assert are_distances(np.abs(line[:, None] - line))


@pytest.mark.parametrize(
    "weights",
    [
        np.exp(-3 * FAR) * APART,
        np.exp(-FAR) * APART,
        APART / (FAR + np.eye(30)),
        (DRAWN + DRAWN.T) * APART,
        APART,
        np.where(FAR < 0.5, FAR, 0),
        FAR + np.eye(30),
        np.triu(FAR),
        np.array([[0, 1, 3.0], [1, 0, 2], [3, 2, 0]]),
    ],
    ids=["decay", "slow decay", "inverse", "drawn", "complete", "sparse", "diagonal", "a half", "few"],
)
def test_weights_are_none(weights: np.ndarray) -> None:
    assert not are_distances(weights)
