from pathlib import Path

import numpy as np
import pytest

from stages.files.number_csv import say_once
from stages.tasks.recordings.weights import refuse_weights, say_directed, say_weights


@pytest.mark.parametrize("factor", [20, 1 / 20, 99])
def test_weights_that_may_be_of_two_units_are_said(factor: float, capsys: pytest.CaptureFixture[str]) -> None:
    refuse_weights({Path("a.csv"): 10.0, Path("b.csv"): 90.0})
    assert capsys.readouterr().out == ""
    refuse_weights({Path("a.csv"): 10.0, Path("b.csv"): 10.0 * factor})
    assert "weights add up to" in capsys.readouterr().out


def test_distances_in_place_of_weights_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    random = np.random.default_rng(0)
    places = random.uniform(-60, 60, (12, 3))
    far = np.linalg.norm(places[:, None] - places, axis=-1)
    for weights in (
        np.exp(-far / 30),
        np.where(far < 60, 1 / (1 + far), 0),
        random.exponential(size=(12, 12)),
    ):
        say_weights(weights * (1 - np.eye(12)), places)
    say_weights(far[:3, :3], places[:3])
    assert capsys.readouterr().out == ""
    for numbers in (far, np.where(far < 80, far, 0), np.triu(far), 1 - np.exp(-far / 30)):
        say_once.cache_clear()
        say_weights(numbers, places)
        assert "as distances are" in capsys.readouterr().out


@pytest.mark.parametrize("weights", [np.ones((4, 4)), 0.37 * (1 - np.eye(4)), np.triu(np.ones((4, 4)), 1)])
def test_equal_weights_are_said(weights: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    places = np.random.default_rng(0).uniform(-60, 60, (4, 3))
    say_once.cache_clear()
    say_weights(weights, places)
    assert "weights of all pairs of regions are equal" in capsys.readouterr().out
    say_weights(np.where(weights > 0, [2, 1, 1, 1], 0), places)
    assert not capsys.readouterr().out


TRACTS = np.random.default_rng(1).exponential(size=(5, 5))


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (TRACTS, True),
        (TRACTS * (TRACTS > TRACTS.T), True),  # each pair one way
        (1e-9 * (TRACTS + np.eye(5, k=1)), True),
        ((TRACTS + TRACTS.T).astype(np.float32) / 3, False),
        (np.triu(TRACTS), False),
        (np.tril(TRACTS, -1), False),
        (np.zeros((5, 5)), False),
    ],
)
def test_weights_with_a_direction_are_said(
    weights: np.ndarray, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    say_once.cache_clear()
    say_directed(weights)
    say_directed(weights)
    assert capsys.readouterr().out.count("differ from those back; their mean is used") == said


def test_correlations_in_place_of_weights_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    random = np.random.default_rng(0)
    places, correlations = random.uniform(-60, 60, (12, 3)), np.abs(np.corrcoef(random.normal(size=(12, 40))))
    say_once.cache_clear()
    say_weights(correlations * (1 - np.eye(12)), places)
    assert "as correlations are" not in capsys.readouterr().out
    say_weights(correlations, places)
    assert "numbers are 1 on the diagonal and nowhere above, as correlations are" in capsys.readouterr().out
