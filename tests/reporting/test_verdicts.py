"""Verdicts against textbook tests and hand counts."""

import numpy as np
import pandas as pd
import pytest

from stages.reporting.verdicts import Verdict, count_told_apart, list_verdicts, select, subtract


def over_seeds(**values: list[float]) -> pd.DataFrame:
    """A row per encoding and seed."""
    rows = [(name, seed, value) for name, given in values.items() for seed, value in enumerate(given)]
    return pd.DataFrame(rows, columns=["encoding", "seed", "value"])


def test_estimates_have_student_intervals_over_seeds() -> None:
    rows = over_seeds(a=[1.0, 2.0, 3.0], b=[0.0, 0.5, 1.0])
    estimate = select(rows, "a")
    assert (estimate.mean, estimate.n) == (2, 3)
    assert (estimate.low, estimate.high) == pytest.approx((2 - 2.4841377, 2 + 2.4841377))
    assert estimate.interval == "2.00 [\u22120.48, 4.48]"
    assert estimate.reach == pytest.approx(4.4841377)
    assert select(over_seeds(a=[-1.0, -2.0, -3.0]), "a").reach == pytest.approx(4.4841377)
    assert subtract(rows, "a", "b").mean == pytest.approx(1.5)
    assert subtract(rows, "a", "missing").n == 0


def test_the_sign_is_known_only_where_the_interval_leaves_0_out() -> None:
    rows = over_seeds(up=[1.0, 1.1, 1.2], down=[-1.0, -1.1, -1.2], wide=[-1.0, 1.0, 2.0], alone=[5.0])
    signs = {name: select(rows, name).sign for name in ("up", "down", "wide", "alone", "missing")}
    assert signs == {"up": 1, "down": -1, "wide": 0, "alone": 0, "missing": 0}


def test_p_values_count_flips_of_signs() -> None:
    """By hand: of 2^4 flips of four differences, those with a mean as far from 0."""
    rows = over_seeds(clear=[0.3, 0.1, 0.4, 0.2], but_one=[0.3, 0.1, 0.4, -0.1], zero=[0.0, 0.0], alone=[5.0])
    p_values = [select(rows, name).p_value for name in ("clear", "but_one", "zero", "alone", "missing")]
    assert p_values == pytest.approx([2 / 16, 6 / 16, 1, np.nan, np.nan], nan_ok=True)


def test_verdicts_in_words() -> None:
    verdicts = [Verdict("a", 1, 0.01), Verdict("b", -1, 0.01), Verdict("c", 1, 0.01)]
    assert list_verdicts(verdicts) == "ahead of it a, c; behind b"


def test_of_many_verdicts_those_that_chance_would_give_are_left_out() -> None:
    """By hand: of ten, the second smallest p must be at most .05 * 2 / 10."""
    others = [Verdict("", 0, p) for p in np.linspace(0.3, 0.9, 8)]
    assert count_told_apart([Verdict("", 1, 0.001), Verdict("", -1, 0.009), *others]) == (2, 2)
    assert count_told_apart([Verdict("", 1, 0.001), Verdict("", -1, 0.011), *others]) == (2, 1)
    alone = Verdict("", 0, np.nan)
    assert count_told_apart([Verdict("", 1, 0.001), Verdict("", -1, 0.009), *others, alone]) == (2, 2)
    assert count_told_apart([]) == count_told_apart([alone]) == (0, 0)
