import pandas as pd
import pytest
from matplotlib.figure import Figure

from stages.figures.sigma_axis import SigmaAxis, choose_few, evenly, with_sigma


def tick_labels(*sigmas: float) -> list[str]:
    axes = Figure().subplots()
    SigmaAxis(sigmas).apply(axes)
    return [label.get_text() for label in axes.get_xticklabels()]


@pytest.mark.parametrize(
    ("sigmas", "labels"),
    [
        ((0.02, 0.2, 0.5), ["0.02", "0.05", "0.1", "0.2", "0.5"]),
        ((0.0, 0.1, 0.3), ["0", "0.1", "0.2"]),
        ((1e-5, 1.0), ["1e-05", "0.0001", "0.001", "0.01", "0.1", "1"]),
        ((0.3,), ["0.3"]),
        ((0.3, 0.4), ["0.3", "0.4"]),
        ((0.0,), ["0"]),
        ((), []),
    ],
)
def test_ticks_are_round_and_few(sigmas: tuple[float, ...], labels: list[str]) -> None:
    assert tick_labels(*sigmas) == labels


def test_zero_lies_left_of_every_other_and_inside_the_limits() -> None:
    axes = Figure().subplots()
    axis = SigmaAxis([0.0, 0.02, 2.0])
    axis.apply(axes)
    low, high = axes.get_xlim()
    zero, *others = axis.at([0.0, 0.02, 2.0])
    assert low < zero < 0.02 and others == [0.02, 2.0] and high > 2.0


def test_few_are_the_ends_one_between_and_the_focus() -> None:
    sigmas = {"b": 1.0, "d": 0.7, "c": 0.5, "focus": 0.1, "a": 0.02}
    words = {"a": "learned, \u03c3 = 0.02", "focus": "focus, \u03c3 = 0.1"}
    words |= {"c": "learned, \u03c3 = 0.5", "b": "learned, \u03c3 = 1"}
    assert list(choose_few(sigmas).items()) == list(words.items())
    assert list(choose_few({"b": 1.0})) == ["b"] and choose_few({}) == {}


def test_of_many_sigmas_some_are_shown_from_end_to_end() -> None:
    assert evenly(range(9), 4) == [0, 3, 5, 8]
    assert evenly([0.2, 0.1, 0.2], 5) == [0.1, 0.2] and evenly([], 3) == []


def test_what_is_no_learned_table_has_no_sigma() -> None:
    rows = pd.DataFrame({"task": ["a", "b", "a"], "encoding": ["x", "x", "y"]})
    assert with_sigma(rows, {"a": {"x": 0.5}}).sigma.fillna(-1).tolist() == [0.5, -1, -1]
