import pytest

from stages.reporting import numbers


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
    shown = [numbers.number(value, 2) for value in (-0.0, 0.005, -0.004, 1.234)]
    assert shown == ["0.00", "0.01", "\u22124.0e\u221203", "1.23"]


def test_lists_in_words() -> None:
    assert [numbers.listed(names) for names in ([], ["a"], ["a", "b", "c"])] == ["", "a", "a, b and c"]
