import pandas as pd
import pytest

from stages.reporting import numbers


def test_interval_over_seeds_is_students() -> None:
    rows = pd.DataFrame({"encoding": "a", "value": [0.5, 0.7, 0.9, float("nan")]})
    (found,) = numbers.over_seeds(rows, ["encoding"]).to_dict("records")
    half = 4.302653 * 0.2 / 3**0.5  # t of 2 degrees of freedom, standard deviation 0.2
    assert found["low"] == pytest.approx(0.7 - half, abs=1e-6)
    assert found["high"] == pytest.approx(0.7 + half, abs=1e-6)
    assert (found["mean"], found["n"]) == (pytest.approx(0.7), 3)


def test_a_floor_has_no_seeds() -> None:
    rows = pd.DataFrame({"encoding": ["floor_zero"], "value": [1.0]})
    assert numbers.over_seeds(rows, ["encoding"])["n"].isna().all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((0.5, 0.25, 0.75, 3), "0.500 [0.250, 0.750] (n = 3 seeds)"),
        ((-0.5, float("nan"), float("nan"), 1), "\u22120.500 (n = 1 seed, no interval)"),
        ((0.5, float("nan"), float("nan"), float("nan")), "0.500"),
    ],
)
def test_estimates_in_words(given: tuple[float, float, float, float], words: str) -> None:
    assert numbers.estimate(*given) == words


def test_small_numbers_are_not_zero() -> None:
    shown = [numbers.number(value, 2) for value in (0.0, 0.005, -0.004, 1.234)]
    assert shown == ["0.00", "0.01", "\u22124.0e\u221203", "1.23"]


def test_lists_in_words() -> None:
    assert [numbers.listed(names) for names in ([], ["a"], ["a", "b", "c"])] == ["", "a", "a, b and c"]
