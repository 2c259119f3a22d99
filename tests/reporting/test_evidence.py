"""Sections on tables, attention, interventions and harder inputs: their text is what stands in the tables."""

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from a_report import LARGE, SMALL, inputs, with_scores

from stages.reporting import (
    attention,
    communities,
    geometry,
    interventions,
    partial,
    people,
    robustness,
    tests,
)
from stages.reporting.inputs import Inputs

SIGMAS = {"learned_s020": 0.5, "learned_s200": 0.1}  # configuration -> a value that all its seeds have


def rows(**same: Any) -> pd.DataFrame:
    """Three seeds each of two learned tables on the grid, with the values of `SIGMAS`."""
    each = [("grid", name, seed, value) for name, value in SIGMAS.items() for seed in range(3)]
    return pd.DataFrame(each, columns=["task", "encoding", "seed", "value"]).assign(**same)


def having(name: str, table: pd.DataFrame) -> Inputs:
    known = inputs()
    return replace(known, tables={**known.tables, name: table})


def test_differences_say_which_side_of_nothing_they_lie() -> None:
    section = tests.section(with_scores(learned_s020=SMALL, learned_s200=LARGE, none=[0.9, 0.99, 0.97]))
    power, grid = section.paragraphs
    assert power.startswith("0 of 2 tests have q \u2264 0.05. In 2 of them no outcome could")
    assert "Worse: learned_s200 (\u03c3 = 2) by \u22120.600 [" in grid and "Not told apart: none by" in grid
    assert section.tables[0].frame.difference.tolist() == pytest.approx([-0.6, 0.01 / 3])


def test_nothing_to_compare_is_said() -> None:
    assert tests.section(with_scores(learned_s020=SMALL)).paragraphs == [tests.NOTHING]


def test_geometry_goes_across_sigma() -> None:
    section = geometry.section(having("geometry", rows(block="all", measure="angle_deg")))
    assert section.paragraphs[1].startswith(
        "Grid, angle travelled in degrees: 0.500 [0.500, 0.500] (n = 3 seeds)"
    )


def test_communities_speak_of_agreement() -> None:
    table = rows(block="all", measure="ami", reference="rows", null_mean=0.0, p_value=0.01)
    (words,) = communities.section(having("communities", table)).paragraphs
    assert words.startswith("Grid, agreement with rows (1 equal, 0 chance): 0.500 [")


def test_one_distance_beyond_another_both_ways() -> None:
    found = rows(reference="same_line", given="grid_distance", null_mean=0.0, p_value=0.01)
    table = pd.concat([found, found.assign(reference="grid_distance", given="same_line", value=0.25)])
    section = partial.section(having("partial", table))
    (words,) = section.paragraphs
    assert "same_line beyond grid_distance 0.500 [" in words
    assert "grid_distance beyond same_line 0.250 [" in words
    assert [chart.title for chart in section.charts] == [
        "grid: same_line beyond grid_distance",
        "grid: grid_distance beyond same_line",
    ]


def test_attention_of_the_last_block() -> None:
    head = rows(head=0, reference="same_line", null_mean=0.5, p_value=0.01)
    table = pd.concat([head, head.assign(head=1, p_value=0.2)])
    table = pd.concat(
        [table.assign(block=block, measure="auc", value=table.value + block) for block in (0, 1)]
        + [table.assign(block=1, measure="answer_excess_ternary")]
    )
    section = attention.section(having("attention", table))
    lines, edges = section.paragraphs
    assert set(section.tables[0].frame.p_value) == {0.2}  # of the two heads
    assert lines.startswith("Grid, excess on the target's row and column, ternary puzzles: 0.500 [")
    assert edges.startswith("Grid, attention along same_line (chance .5): 1.500 [")


def test_interventions_stand_beside_their_controls() -> None:
    """0.5 unchanged, 0.3 permuted; 0.4 on two components, of which random ones leave 0.25."""
    best = rows().query("encoding == 'learned_s020'").assign(draw=0, metric="accuracy")
    kinds = [
        ("unchanged", 0.0, 0.5, None),
        ("permuted", 1.0, 0.3, "unchanged"),
        ("components", 2.0, 0.4, "random_components"),
        ("random_components", 2.0, 0.25, None),
    ]
    table = pd.concat(
        [
            best.assign(intervention=name, amount=amount, value=value, control=control)
            for name, amount, value, control in kinds
        ]
    )
    known = having("interventions", table)
    found = interventions.compared(known).set_index("intervention").beyond
    assert found[["permuted", "components"]].tolist() == pytest.approx([-0.2, 0.15])
    (words,) = interventions.section(known).paragraphs
    assert "unchanged 0.500 [" in words and "with two leading principal components alone 0.400 [" in words


def test_harder_inputs_at_one_amount() -> None:
    table = rows(perturbation="removed", metric="accuracy")
    table = pd.concat([table.assign(amount=amount, value=table.value / amount) for amount in (1.0, 2.0)])
    (words,) = robustness.section(having("robustness", table)).paragraphs
    assert words.startswith("Grid, two givens removed: 0.250 [")


PEOPLE = {
    **{"encoding": ["learned_s020", "learned_s200"], "n": 3, "same_order": True, "seeds_same_order": 3},
    **{"correlation": [0.95, 0.5], "n_points": 3, "slope": [0.0, -0.15], "low": -0.3, "high": 0.1},
    **{"slope_people": -0.152, "difference": [0.152, 0.002], "difference_low": [0.1, -0.1]},
    **{"difference_high": [0.2, 0.1], "bootstrap_low": -0.1, "bootstrap_high": 0.1, "n_people": 40},
}


def test_slopes_beside_peoples() -> None:
    section = people.section(having("people", pd.DataFrame(PEOPLE)))
    correlation, slope, best = section.paragraphs
    assert "1 of 2 configurations have r above .9" in correlation
    assert "Flatter than people's: learned_s020 (\u03c3 = 0.2) by 0.152 [0.100, 0.200]" in slope
    assert "Not told from it: learned_s200 (\u03c3 = 2) by 0.002" in slope
    assert "learned_s020 (\u03c3 = 0.2), has a slope of 0.000" in best and "not what it shows" in best


def test_one_seed_tells_nothing_of_people() -> None:
    alone = pd.DataFrame(PEOPLE).assign(n=1, difference_low=float("nan"), difference_high=float("nan"))
    assert "one seed cannot tell" in people.best(having("people", alone))


def test_squares_that_people_did_not_solve() -> None:
    section = people.section(having("people", pd.DataFrame(PEOPLE).iloc[:0]))
    assert section.paragraphs == ["People solved squares of another order."] and not section.tables
