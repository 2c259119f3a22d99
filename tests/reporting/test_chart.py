import pandas as pd
import pytest

from stages.reporting.chart import HEIGHT, WIDTH, against_sigma


def test_sigmas_are_spaced_by_their_logarithm() -> None:
    rows = pd.DataFrame({"sigma": [0.01, 0.1, 1.0], "mean": [1.0, 2.0, 3.0], "n": 3})
    chart = against_sigma("", "", rows.assign(low=rows["mean"] - 1, high=rows["mean"] + 1))
    x = [mark.x for mark in chart.marks]
    assert x == pytest.approx([0.05 * WIDTH, 0.5 * WIDTH, 0.95 * WIDTH])
    assert chart.marks[1].y == pytest.approx(HEIGHT / 2)
    assert [text for _, text in chart.x_ticks] == ["0.01", "0.1", "1"]


def test_no_interval_is_cut() -> None:
    rows = pd.DataFrame({"sigma": [0.1, 1.0], "mean": [0.5, 0.6], "low": [-9.0, 0.5], "high": [9.0, 0.7]})
    for mark in against_sigma("", "", rows.assign(n=3)).marks:
        assert 0 < mark.high < mark.y < mark.low < HEIGHT


def test_a_mean_of_one_seed_has_no_interval() -> None:
    rows = pd.DataFrame({"sigma": [0.1], "mean": [0.5], "low": float("nan"), "high": float("nan"), "n": 1})
    (mark,) = against_sigma("", "", rows).marks
    assert mark.low == mark.y == mark.high
    assert mark.words == "\u03c3 = 0.1: 0.500 (n = 1 seed, no interval)"
