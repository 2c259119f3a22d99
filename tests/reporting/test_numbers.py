from math import nan

import pytest

from stages.reporting import numbers
from stages.studies.judging.statistics import Numbers


def row(a: float, b: float, low: float, high: float) -> Numbers:
    return Numbers(8, a, b, a - b, low, high)


@pytest.mark.parametrize(
    ("numbers_of", "summed", "interval"),
    [
        (row(0.849537, 0.443287, 0.212, 0.600), "0.85 − 0.44 = 0.41", "[0.21, 0.60]"),
        # half of the interval has its first digit in the third place
        (row(0.468501, 0.415015, 0.051363, 0.055608), "0.4685 − 0.4150 = 0.0535", "[0.0514, 0.0556]"),
        # 0.93 - 0.91 would be 0.02
        (row(0.9262, 0.9131, -0.1, 0.125), "0.926 − 0.913 = 0.013", "[−0.100, 0.125]"),
        (row(0.1, -0.02, 0.0, 0.24), "0.10 − (−0.02) = 0.12", "[0.00, 0.24]"),
        # 0.653 - 0.815 is not -0.163, though 652.5 and 815.0 round so in steps of a thousandth
        (row(0.6525, 0.815, -0.25, -0.005), "0.6525 − 0.8150 = −0.1625", "[−0.2500, −0.0050]"),
        # the sign of an end shows
        (row(0.819, 0.806, -0.004, 0.030), "0.819 − 0.806 = 0.013", "[−0.004, 0.030]"),
        # with two to five digits these do not subtract
        (
            row(-0.0335150789, 0.434836665, -0.71601, -0.22069),
            "−0.033515 − 0.434837 = −0.468352",
            "[−0.716010, −0.220690]",
        ),
        (row(1.0, 0.5, 0.5, 0.5), "1.000 − 0.500 = 0.500", "in every seed"),
        (row(1.0, 0.99, nan, nan), "1.000 − 0.990 = 0.010", "–"),
        (row(nan, nan, nan, nan), "", "–"),
    ],
)
def test_a_reader_can_subtract(numbers_of: Numbers, summed: str, interval: str) -> None:
    written = numbers.write_numbers(numbers_of)
    assert (written["sum"], written["interval"]) == (summed, interval)


def test_p_has_two_digits_that_count() -> None:
    assert [numbers.write_p(p) for p in (0.0078125, 0.25, 1.0, nan)] == ["0.0078", "0.25", "1", "–"]


def test_a_number_that_a_test_names_stands_as_it_is() -> None:
    written = numbers.write_measured(row(0.9612, 0.5, 0.44, 0.48)._replace(difference=0.4612))
    assert written == {"difference": "0.96", "interval": "[0.94, 0.98]", "sum": "0.96"}
    assert numbers.write_measured(row(0.1, -0.5, 0.5, 0.7))["sum"] == "0.10"
