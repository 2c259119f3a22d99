import pandas as pd
import pytest
from a_report import with_table

from stages.reporting import people

PEOPLE = pd.DataFrame(
    {
        **{"encoding": ["learned_s020", "learned_s200"], "n": 3, "same_order": True, "seeds_same_order": 2},
        **{"correlation": [0.95, 0.5], "n_points": 3, "slope": [0.0, -0.15], "low": -0.3, "high": 0.1},
        **{"slope_people": -0.152, "difference": [0.152, 0.002], "difference_low": [0.1, -0.1]},
        **{"difference_high": [0.2, 0.1], "bootstrap_low": -0.1, "bootstrap_high": 0.1, "n_people": 40},
    }
)


def test_slopes_stand_beside_people_s() -> None:
    section = people.section(with_table("people", PEOPLE))
    correlation, best = section.paragraphs
    assert "1 of 2 configurations have r above .9" in correlation
    assert "learned_s020 (\u03c3 = 0.2), has a slope of 0.000 [\u22120.300, 0.100] (n = 3 seeds)" in best
    assert "human-like errors are not what it shows" in best
    (table,) = section.tables
    assert table.cells()[0][:3] == ["learned_s020 (\u03c3 = 0.2)", "3", "yes; 2 of 3"]
    assert "40 persons" in table.caption and "slope \u22120.152" in table.caption


@pytest.mark.parametrize(
    ("low", "verdict"), [(-0.1, "human-like errors are not excluded"), (float("nan"), "one seed cannot tell")]
)
def test_a_slope_near_people_s_is_not_told_from_it(low: float, verdict: str) -> None:
    section = people.section(with_table("people", PEOPLE.assign(difference_low=low)))
    assert verdict in section.paragraphs[1]


def test_squares_that_people_did_not_solve() -> None:
    section = people.section(with_table("people", PEOPLE.iloc[:0]))
    assert section.paragraphs == ["People solved squares of another order."] and not section.tables
