"""Each doubt is there where made-up tables show it, and not where they do not."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import pandas as pd
import pytest
from a_report import LARGE, SMALL, alignment, inputs, with_scores

from stages.reporting import doubts
from stages.reporting.inputs import Inputs

NEAR = [0.92, 0.99, 0.93]


def text(points: Iterator[str]) -> str:
    return " ".join(points)


def with_alignment(known: Inputs, **encodings: list[float]) -> Inputs:
    return replace(known, tables={**known.tables, "alignment": alignment(**encodings)})


@pytest.mark.parametrize(("fixed", "said"), [(NEAR, True), (LARGE, False)])
def test_random_tables_that_do_as_well(fixed: list[float], said: bool) -> None:
    known = with_scores(learned_s020=SMALL, learned_s200=LARGE, random_fixed=fixed)
    known = with_alignment(known, learned_s020=[0.5, 0.6, 0.7], random_fixed=[0.0, 0.1, -0.1])
    found = text(doubts.without_alignment(known))
    assert ("alignment with same_line is 0.000 [" in found) == said
    assert ("paired difference 0.600 [" in found and "these seeds could show" in found) == said


def test_alignments_that_seeds_do_not_tell_apart() -> None:
    known = with_scores(learned_s020=SMALL, learned_s200=LARGE, random_fixed=NEAR)
    known = with_alignment(known, learned_s020=[0.0, 0.9, -0.3], random_fixed=[0.0, 0.1, -0.1])
    assert "neither the scores nor the alignments apart" in text(doubts.without_alignment(known))


@pytest.mark.parametrize(("small", "said"), [(LARGE, True), (SMALL, False)])
def test_small_sigmas_that_fail(small: list[float], said: bool) -> None:
    known = with_scores(learned_s002=small, learned_s020=SMALL)
    known = replace(known, sigmas={"grid": {"learned_s002": 0.02, "learned_s020": 0.2}})
    found = text(doubts.small_fails(known))
    assert ("learned_s002 (\u03c3 = 0.02) minus learned_s020 (\u03c3 = 0.2): \u22120.600 [" in found) == said


@pytest.mark.parametrize(("elsewhere", "said"), [([0.9, 1.0, 0.95], True), ([0.4, 0.5, 0.7], False)])
def test_alignment_that_peaks_elsewhere(elsewhere: list[float], said: bool) -> None:
    known = with_alignment(inputs(), learned_s020=[0.5, 0.6, 0.55], learned_s200=elsewhere)
    assert ("is less aligned" in text(doubts.best_elsewhere(known))) == said


@pytest.mark.parametrize(("distance", "said"), [([0.0, 0.1, -0.1], True), ([0.4, 0.5, 0.45], False)])
def test_lines_instead_of_distance(distance: list[float], said: bool) -> None:
    rows = [
        ("grid", "learned_s020", seed, reference, given, value, 0.0, 0.01)
        for reference, given, values in (
            ("same_line", "grid_distance", [0.5, 0.6, 0.55]),
            ("grid_distance", "same_line", distance),
        )
        for seed, value in enumerate(values)
    ]
    names = ["task", "encoding", "seed", "reference", "given", "value", "null_mean", "p_value"]
    known = replace(inputs(), tables={"partial": pd.DataFrame(rows, columns=names)})
    assert ("is the line, not the distance" in text(doubts.lines_not_distance(known))) == said


@pytest.mark.parametrize(("graph", "said"), [("modular", True), ("ring", False)])
def test_nodes_numbered_by_community(graph: Literal["modular", "ring"], said: bool) -> None:
    known = with_alignment(inputs(), sinusoidal_1d=[0.65, 0.65, 0.65])
    rows = known.tables["alignment"].assign(task="network", reference="communities")
    settings = replace(known.settings, network=replace(known.settings.network, graph=graph))
    known = replace(known, settings=settings, tables={"alignment": rows})
    assert ("by construction" in text(doubts.numbered_by_community(known))) == said


@pytest.mark.parametrize(("large", "said"), [(NEAR, True), (LARGE, False)])
def test_sigmas_that_make_no_difference(large: list[float], said: bool) -> None:
    known = with_scores(learned_s020=SMALL, learned_s200=large)
    assert ("1 of 1 other learned tables" in text(doubts.no_difference(known))) == said


def test_the_list_follows_the_tables() -> None:
    known = with_scores(learned_s020=SMALL, learned_s200=LARGE)
    nothing = pd.DataFrame(columns=["task", "encoding", "seed", "reference", "given", "value"])
    tables = {**known.tables, "partial": nothing.astype({"value": float})}
    assert any("no p below 0.25" in point for point in doubts.section(replace(known, tables=tables)).points)
