from dataclasses import replace

import pytest
from a_report import LARGE, SMALL, inputs, with_scores

from stages.reporting import published


def test_published_means_stand_beside_ours() -> None:
    """Both published means are within 0.124 of ours, half the interval of SMALL and LARGE."""
    found = published.compare_means(inputs()).set_index("encoding")
    assert found.published.to_dict() == {"learned_s020": 0.9556, "learned_s200": 0.3772}
    assert found.difference["learned_s020"] == pytest.approx(0.95 - 0.9556)
    assert found.inside.tolist() == ["yes", "yes"]
    far = published.compare_means(with_scores(learned_s020=LARGE, learned_s200=LARGE)).set_index("encoding")
    assert far.inside.to_dict() == {"learned_s020": "no", "learned_s200": "yes"}


@pytest.mark.parametrize(
    ("small", "large", "verdict"),
    [(SMALL, LARGE, "same"), (LARGE, SMALL, "opposite"), ([0.9, 0.1, 0.5], LARGE, "undecided")],
)
def test_order_of_two_sigmas(small: list[float], large: list[float], verdict: str) -> None:
    """Published: 0.2 is better than 2.0 by .578."""
    (pair,) = published.compare_orders(with_scores(learned_s020=small, learned_s200=large)).to_dict("records")
    assert pair["published"] == pytest.approx(0.9556 - 0.3772)
    assert pair["verdict"] == verdict


@pytest.mark.parametrize(
    ("theirs", "verdict"),
    [((-0.1, 0.2), "not settled by the published seeds"), ((0.1, 0.2), "same"), ((-0.2, -0.1), "opposite")],
)
def test_an_order_that_was_not_settled_is_neither_same_nor_opposite(
    theirs: tuple[float, float], verdict: str
) -> None:
    assert published.judge_order(theirs, (0.05, 0.3)) == verdict


def test_what_did_not_reproduce_is_counted() -> None:
    section = published.section(with_scores(learned_s020=LARGE, learned_s200=SMALL))
    means, order = section.paragraphs
    assert "Not reproduced here: 2 of 2 published mean accuracies lie outside our 95 % interval" in means
    assert order.startswith(
        "Of 1 orders of two encodings on validation puzzles the published seeds settle 1: of these 0 are as "
        "published, 1 opposite"
    )
    assert [len(table.frame) for table in section.tables] == [2, 1]


def test_squares_of_another_order_have_no_published_numbers() -> None:
    known = inputs()
    sections = {**known.settings.sections, "grid": {**known.settings.sections["grid"], "order": 5}}
    other = replace(known, settings=replace(known.settings, sections=sections))
    assert published.compare_means(other).empty and published.compare_orders(other).empty
    assert [words.split(":")[0] for words in published.section(other).paragraphs] == [
        "No published accuracy can be compared",
        "No two encodings with published accuracies were trained here, so there is no order to compare.",
    ]
