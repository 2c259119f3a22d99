"""Each doubt is there where made-up tables show it, and not where they do not."""

from dataclasses import replace

import pytest
from a_report import LARGE, SMALL, alignment, with_scores, with_table

from stages.reporting import doubts
from stages.tasks.facts import find_facts

GRID, NETWORK = find_facts("grid"), find_facts("network")


def test_the_list_begins_with_the_data_and_says_what_the_findings_say() -> None:
    known = with_scores(learned_s020=SMALL, learned_s200=LARGE, random_fixed=[0.92, 0.99, 0.93])
    aligned = alignment(learned_s020=[0.5, 0.6, 0.7], random_fixed=[0.0, 0.1, -0.1])
    points = doubts.section(replace(known, tables={**known.tables, "alignment": aligned})).points
    assert points[0].startswith("Intervals are over seeds alone")
    assert any("no p below 0.25" in point for point in points)
    (random,) = [point for point in points if "a random table that is never trained" in point]
    assert random.startswith("grid: ") and "not told apart from learned_s020" in random
    assert "with same row or column is 0.00 [" in random and "that of learned_s020 0.60 [" in random


def test_tokens_numbered_by_what_they_are_aligned_with() -> None:
    known = with_table("alignment", alignment(sinusoidal_1d=[0.65, 0.65, 0.65]))
    of_network = known.tables["alignment"].assign(task="network", reference="communities")
    (point,) = doubts.aligned_by_numbering(with_table("alignment", of_network), NETWORK)
    assert point.startswith("Simulated network: a sinusoid over token numbers") and "= 0.650 [" in point
    unrelated = of_network.assign(p_value=0.5)
    assert not list(doubts.aligned_by_numbering(with_table("alignment", unrelated), NETWORK))
    assert not list(doubts.aligned_by_numbering(known, GRID))  # cells have an order


@pytest.mark.parametrize(("seeds", "n"), [([0.2, 0.9, 1.0], 1), ([0.5, 0.5, 0.51], 0)])
def test_intervals_beyond_what_a_share_can_be(seeds: list[float], n: int) -> None:
    points = list(doubts.impossible_shares(with_scores(learned_s020=[0.5, 0.52, 0.51], learned_s200=seeds)))
    assert len(points) == n
    assert all("1 of 2 intervals of shares" in p and "0.20, 0.90 and 1.00" in p for p in points)
