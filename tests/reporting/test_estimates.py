import numpy as np
import pandas as pd
import pytest
from a_report import inputs, with_table

from stages.reporting import estimates
from stages.tasks.facts import find_facts

GRID = find_facts("grid")

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
    found = estimates.over_seeds(inputs(), ROWS)
    half = 4.302653 * 0.2 / 3**0.5  # t of 2 degrees of freedom, standard deviation 0.2
    first = found.iloc[0]
    assert (first.label, first.n, first.p_value) == ("learned_s200 (\u03c3 = 2)", 3, 0.3)
    assert (first["mean"], first.low) == (pytest.approx(0.7), pytest.approx(0.7 - half, abs=1e-6))
    assert found.iloc[1].n == 2


def test_learned_tables_go_from_small_sigma_to_large() -> None:
    learned = estimates.select_learned(inputs(), estimates.over_seeds(inputs(), ROWS))
    assert learned.sigma.tolist() == [0.2, 2.0] and learned["mean"].tolist() == pytest.approx([0.15, 0.7])
    assert estimates.in_words(learned.iloc[1]) == "0.700 [0.203, 1.197] (n = 3 seeds)"


def test_alignment_is_with_the_reference_that_judges_the_task() -> None:
    known = inputs().tables["alignment"]
    other = known.assign(reference="grid_distance", value=9.0)
    reference, rows = estimates.estimate_alignment(with_table("alignment", pd.concat([other, known])), GRID)
    assert reference == "same_line"
    assert rows.set_index("encoding")["mean"].to_dict() == pytest.approx(
        {"learned_s020": 0.6, "learned_s200": 0}
    )


def test_floors_have_no_seeds() -> None:
    known = inputs()
    floor = known.tables["runs"].iloc[:1].assign(encoding="floor_zero", value=0.25)
    runs = pd.concat([known.tables["runs"], floor])
    found = estimates.rank_scores(with_table("runs", runs), GRID)
    assert found.label.tolist() == ["learned_s020 (\u03c3 = 0.2)", "learned_s200 (\u03c3 = 2)", "floor_zero"]
    assert found["mean"].tolist() == pytest.approx([0.95, 0.35, 0.25])
    assert found.n.fillna(0).tolist() == [3, 3, 0]
