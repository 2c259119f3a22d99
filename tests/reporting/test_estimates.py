import numpy as np
import pandas as pd
import pytest
from a_report import inputs

from stages.reporting import estimates

ROWS = pd.DataFrame(
    {
        "task": "grid",
        "encoding": ["learned_s200"] * 3 + ["learned_s020"] * 3,
        "value": [0.5, 0.7, 0.9, 0.1, 0.2, np.nan],
        "null_mean": 0.5,
        "p_value": [0.1, 0.3, 0.2, 0.1, 0.1, 0.1],
    }
)


def test_means_stand_with_students_interval_and_null() -> None:
    found = estimates.over_seeds(inputs(), ROWS, ["task", "encoding"])
    half = 4.302653 * 0.2 / 3**0.5  # t of 2 degrees of freedom, standard deviation 0.2
    first = found.iloc[0]
    assert (first.called, first.n, first.p_value) == ("learned_s200 (\u03c3 = 2)", 3, 0.3)
    assert (first["mean"], first.low) == (pytest.approx(0.7), pytest.approx(0.7 - half, abs=1e-6))
    assert found.iloc[1].n == 2


def test_words_go_from_small_sigma_to_large() -> None:
    found = estimates.learned(inputs(), estimates.over_seeds(inputs(), ROWS, ["task", "encoding"]))
    assert found.sigma.tolist() == [0.2, 2.0]
    words = estimates.across_sigma(found)
    assert words.startswith("0.150 [") and "(n = 2 seeds) at \u03c3 = 0.2, 0.700 [" in words
    assert estimates.across_sigma(found.iloc[:0]) == "no learned table"


def test_floors_have_no_seeds() -> None:
    known = inputs()
    floor = known.tables["runs"].iloc[:1].assign(encoding="floor_zero", value=0.25)
    runs = pd.concat([known.tables["runs"], floor])
    found = estimates.scores(inputs(tables={**known.tables, "runs": runs}), "grid").set_index("encoding")
    assert found["mean"].to_dict() == pytest.approx(
        {"learned_s020": 0.95, "learned_s200": 0.35, "floor_zero": 0.25}
    )
    assert np.isnan(found.n["floor_zero"]) and found.n["learned_s020"] == 3


def test_floors_may_stand_alone() -> None:
    known = inputs()
    floor = known.tables["runs"].iloc[:1].assign(encoding="floor_zero", value=0.25)
    alone = {"runs": floor, "intervals": known.tables["intervals"].iloc[:0]}
    (found,) = estimates.scores(inputs(tables=alone), "grid").to_dict("records")
    assert found["mean"] == 0.25 and np.isnan([found["low"], found["high"], found["n"]]).all()
