"""Sections whose text is a count or a mean by hand."""

import numpy as np
import pandas as pd
import pytest
from a_report import inputs, with_scores

from stages.reporting import alignment, generalisation, probe, setup, sinusoid, summary


def test_summary_names_the_best_sigma_of_score_and_alignment() -> None:
    (words,) = summary.section(inputs()).paragraphs
    assert "\u03c3 = 0.2 has the best mean, 0.950 [" in words
    assert "(95 % interval of the paired difference, n = 3 seeds): none." in words
    assert "Most aligned with same_line is the same \u03c3: Spearman \u03c1 0.600 [" in words


def test_summary_names_what_cannot_be_told_from_the_best() -> None:
    """Differences of -.1, .2 and -.4 have a mean of -.1 and an interval around 0."""
    close = with_scores(learned_s020=[0.9, 0.9, 0.9], learned_s200=[0.8, 1.1, 0.5])
    (words,) = summary.section(close).paragraphs
    assert "n = 3 seeds): \u03c3 = 2." in words


def test_summary_draws_score_and_alignment() -> None:
    score, aligned = summary.section(inputs()).charts
    assert [mark.words.split(" [")[0] for mark in score.marks] == ["\u03c3 = 0.2: 0.950", "\u03c3 = 2: 0.350"]
    assert score.marks[0].y < score.marks[1].y and aligned.marks[0].high < aligned.marks[0].low


def test_generalisation_ranks_by_mean() -> None:
    (table,) = generalisation.section(inputs()).tables
    assert table.frame.encoding.tolist() == ["learned_s020", "learned_s200"]
    assert table.frame["mean"].tolist() == pytest.approx([0.95, 0.35])


def test_alignment_keeps_the_largest_p() -> None:
    rows = inputs().tables["alignment"]
    rows.loc[1, "p_value"] = 0.5
    found = alignment.estimates(inputs(tables={"alignment": rows})).set_index("encoding")
    assert found.p_value.to_dict() == {"learned_s020": 0.5, "learned_s200": 0.01}


def test_scale_small_is_said_not_to_be_the_published_one() -> None:
    words = setup.section(inputs()).paragraphs[0]
    assert words.startswith("Scale small is not the published size")
    assert "epochs 24 of 4000, seeds 3 of 15, width 64 of 160 and blocks 2 of 4" in words


def test_probe_counts_what_theory_says() -> None:
    agrees = [probe.agreement(value) for value in (True, "False", "bound", np.nan)]
    assert agrees == ["yes", "no", "below the bound", None]
    assert probe.in_words(pd.DataFrame({"called": ["a", "b", "c", "d"], "agrees": agrees})) == (
        "1 of 3 configurations do what theory says of them. "
        "Below the bound that theory gives, after this training: c. Not as theory says: b."
    )


def test_sinusoid_keeps_the_worst() -> None:
    claims = pd.DataFrame(
        {
            "width": 32,
            "kind": ["wavelength"] * 2 + ["residual"] * 2,
            "measured": [2.0, 11.0, 1e-9, 3e-9],
            "formula": [2.0, 10.0, 0.0, 0.0],
        }
    )
    (row,) = sinusoid.checked(claims).to_dict("records")
    expected = {"width": 32, "shortest": 2.0, "longest": 11.0, "ratio": 0.1, "residual": 3e-9}
    assert row == pytest.approx(expected)
