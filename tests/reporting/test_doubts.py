"""Each doubt is there where made-up tables show it, and not where they do not."""

from dataclasses import replace

import pandas as pd
import pytest
from a_report import LARGE, SMALL, alignment, inputs, runs, with_scores, with_table

from stages.reporting import doubts
from stages.reporting.inputs import Inputs
from stages.tasks.facts import find_facts

NEAR = [0.92, 0.99, 0.93]
GRID, NETWORK = find_facts("grid"), find_facts("network")


def with_alignment(known: Inputs, **encodings: list[float]) -> Inputs:
    return replace(known, tables={**known.tables, "alignment": alignment(**encodings)})


@pytest.mark.parametrize(
    ("fixed", "verdict"),
    [
        (NEAR, "more aligned with same_line, by 0.600 ["),
        (LARGE, ""),
    ],
)
def test_random_tables_that_do_as_well(fixed: list[float], verdict: str) -> None:
    known = with_scores(learned_s020=SMALL, learned_s200=LARGE, random_fixed=fixed)
    known = with_alignment(known, learned_s020=[0.5, 0.6, 0.7], random_fixed=[0.0, 0.1, -0.1])
    points = list(doubts.random_tables_do_as_well(known, GRID))
    assert len(points) == bool(verdict) and all(verdict in point for point in points)
    assert all("not told from learned_s020 (\u03c3 = 0.2)" in point for point in points)


def test_alignments_that_seeds_do_not_tell_apart() -> None:
    known = with_scores(learned_s020=SMALL, learned_s200=LARGE, random_fixed=NEAR)
    known = with_alignment(known, learned_s020=[0.0, 0.9, -0.3], random_fixed=[0.0, 0.1, -0.1])
    (point,) = doubts.random_tables_do_as_well(known, GRID)
    assert "neither the scores nor the alignments apart" in point


@pytest.mark.parametrize(("small", "n"), [(LARGE, 1), (SMALL, 0)])
def test_small_sigmas_that_fail(small: list[float], n: int) -> None:
    known = with_scores(learned_s002=small, learned_s020=SMALL)
    known = replace(known, sigmas={"grid": {"learned_s002": 0.02, "learned_s020": 0.2}})
    points = list(doubts.small_sigma_fails(known, GRID))
    assert len(points) == n
    assert all(
        "learned_s002 (\u03c3 = 0.02) minus learned_s020 (\u03c3 = 0.2) is \u22120.600" in p for p in points
    )


def test_larger_sigmas_that_fail_are_no_doubt() -> None:
    assert not list(doubts.small_sigma_fails(inputs(), GRID))


@pytest.mark.parametrize(("elsewhere", "n"), [([0.9, 1.0, 0.95], 1), ([0.4, 0.5, 0.7], 0)])
def test_alignment_that_peaks_elsewhere(elsewhere: list[float], n: int) -> None:
    known = with_alignment(inputs(), learned_s020=[0.5, 0.6, 0.55], learned_s200=elsewhere)
    points = list(doubts.best_is_less_aligned(known, GRID))
    assert len(points) == n
    assert all(
        "less aligned with same_line than that of learned_s200 (\u03c3 = 2)" in point for point in points
    )


@pytest.mark.parametrize(("distance", "n"), [([0.0, 0.1, -0.1], 1), ([0.4, 0.5, 0.45], 0)])
def test_one_of_two_rival_distances_alone(distance: list[float], n: int) -> None:
    rows = [
        ("grid", "learned_s020", seed, reference, given, value, 0.0, 0.01)
        for reference, given, values in (
            ("same_line", "grid_distance", [0.5, 0.6, 0.55]),
            ("grid_distance", "same_line", distance),
            ("same_line", "sinusoid_2d", [0.9, 0.9, 0.9]),  # no rival
        )
        for seed, value in enumerate(values)
    ]
    names = ["task", "encoding", "seed", "reference", "given", "value", "null_mean", "p_value"]
    points = list(doubts.one_distance_alone(with_table("partial", pd.DataFrame(rows, columns=names)), GRID))
    assert len(points) == n and all("is same_line, not grid_distance" in point for point in points)
    assert all("with same_line beyond grid_distance is 0.550 [" in point for point in points)


def test_tokens_numbered_by_what_they_are_aligned_with() -> None:
    known = with_alignment(inputs(), sinusoidal_1d=[0.65, 0.65, 0.65])
    of_network = known.tables["alignment"].assign(task="network", reference="communities")
    (point,) = doubts.aligned_by_numbering(with_table("alignment", of_network), NETWORK)
    assert point.startswith("Simulated network: a sinusoid over token numbers") and "= 0.650 [" in point
    unrelated = of_network.assign(p_value=0.5)
    assert not list(doubts.aligned_by_numbering(with_table("alignment", unrelated), NETWORK))
    assert not list(doubts.aligned_by_numbering(known, GRID))  # cells have an order


@pytest.mark.parametrize(("large", "n"), [(NEAR, 1), (LARGE, 0)])
def test_sigmas_that_make_no_difference(large: list[float], n: int) -> None:
    points = list(doubts.no_difference(with_scores(learned_s020=SMALL, learned_s200=large), GRID))
    assert len(points) == n
    assert all("1 of 1 other learned tables are not told from learned_s020" in point for point in points)


SCORES = {"a": [0.2, 0.3], "b": [0.8, 0.9], "c": [0.5, 0.6]}


@pytest.mark.parametrize(("train", "n"), [(SCORES, 1), (SCORES | {"b": [0.1, 0.1]}, 0)])
def test_training_scores_in_the_same_order(train: dict[str, list[float]], n: int) -> None:
    table = pd.concat([runs(**SCORES), runs(**train).assign(split="train")])
    known = replace(with_table("runs", table), sigmas={"grid": {"a": 0.1, "b": 0.2, "c": 0.5}})
    points = list(doubts.training_scores_alike(known, GRID))
    assert len(points) == n and all("over the 3 \u03c3" in point for point in points)


@pytest.mark.parametrize(("seeds", "n"), [([0.2, 0.9, 1.0], 1), ([0.5, 0.5, 0.51], 0)])
def test_intervals_beyond_what_a_share_can_be(seeds: list[float], n: int) -> None:
    points = list(doubts.impossible_shares(with_scores(learned_s020=[0.5, 0.52, 0.51], learned_s200=seeds)))
    assert len(points) == n
    assert all("1 of 2 intervals of shares" in p and "0.20, 0.90 and 1.00" in p for p in points)


def test_orders_that_are_not_as_published() -> None:
    (point,) = doubts.opposite_orders(with_scores(learned_s020=LARGE, learned_s200=SMALL))
    assert "is 0.578 there and \u22120.600 [" in point
    assert not list(doubts.opposite_orders(inputs()))


def test_the_list_follows_the_tables() -> None:
    nothing = pd.DataFrame(columns=["task", "encoding", "seed", "reference", "given", "value"])
    points = doubts.section(with_table("partial", nothing.astype({"value": float}))).points
    assert points[0] == doubts.SAME_DATA and any("no p below 0.25" in point for point in points)
