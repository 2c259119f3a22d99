"""What is said of the published experiment's tables."""

from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from stages.published import sentences


def test_what_is_and_is_not_as_published_is_named() -> None:
    rows = pd.DataFrame(
        {
            "scheme": "learned",
            "init_std": [0.2, 2.0, 1.0],
            "precision": ["fp32", "bf16", "bf16"],
            "dropout": None,
        }
    ).assign(split="validation", condition="ternary", n=[5, 5, 1], published=0.9)
    verdicts = ["different; spreads overlap", "undecided; spreads overlap", "one seed, not tested"]
    rows = rows.assign(difference=[-0.1, 0.02, 0.5], low=-0.2, high=-0.05, verdict=verdicts)
    (sentence,) = sentences.describe_agreement(rows)
    assert sentence == (
        "Ours minus published, ternary validation puzzles, from -0.100 to +0.020; "
        "different: σ 0.2 in fp32 (-0.100 [-0.200, -0.050]); undecided: σ 2."
    )


def test_alignment_in_words_is_that_of_intervals_above_0() -> None:
    runs = ["σ 0.2", "σ 2", "mds", "σ 0.2"]
    rows = pd.DataFrame({"run": runs, "state": ["final", "final", "final", "added"], "mean": 0.2})
    rows = rows.assign(low=[0.1, -0.1, 0.2, 0.1], high=0.3, reference="same_line", n=3)
    trained, added = sentences.describe_alignment(rows)
    assert trained.endswith("at σ 0.2 (0.20 [0.10, 0.30]).")
    against = rows.assign(mean=-0.2, low=-0.3, high=-0.1)
    assert sentences.describe_alignment(against)[1].endswith(
        "at none; opposed at σ 0.2 (-0.20 [-0.30, -0.10])."
    )
    both = pd.concat([rows, rows[1:2].assign(state="added")])
    assert [sentence.rpartition("; ")[2] for sentence in sentences.describe_alignment(both)] == [
        "not shown at σ 2."
    ] * 2


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        ({"difference": 0.01, "low": -0.02, "high": 0.04, "p_equivalent": 0.01}, "same; spreads overlap"),
        (
            {"difference": 0.2, "low": 0.1, "high": 0.3, "p_equivalent": 0.9},
            "different; spreads do not overlap",
        ),
        ({"difference": 0.05, "low": -0.1, "high": 0.2, "p_equivalent": 0.5}, "undecided; spreads overlap"),
        (
            {"difference": 0.02, "low": 0.01, "high": 0.03, "p_equivalent": 0.0},
            "same, yet different; spreads overlap",
        ),
        (
            {"difference": 0.2, "low": None, "high": None, "p_equivalent": None, "n": 1},
            "one seed, not tested",
        ),
        ({"difference": 0.0, "low": None, "high": None, "p_equivalent": None}, "no spread to test by"),
    ],
)
def test_verdicts(row: dict[str, Any], verdict: str) -> None:
    assert (
        sentences.judge(pd.Series({"published": 0.9, "published_sd": 0.05, "sd": 0.04, "n": 5, **row}))
        == verdict
    )


def test_seeds_that_are_fitted_late_are_set_against_what_they_solve() -> None:
    epochs, solved = [80, 90, 100, 110, 120, 200], np.array([0.9, 0.95, 0.8, 0.7, 0.75, 0.99])
    of: dict[str, Any] = {"run": "learned_s020", "scheme": "learned", "init_std": 0.2, "dropout": None}
    of |= {"precision": "bf16", "split": "validation", "condition": "all"}
    ends = pd.DataFrame({"seed": range(6), "accuracy": solved, "epoch": epochs}).assign(**of)
    losses = ends.assign(split="train", loss=[*5 * [0.0002], 0.01], accuracy=1.0)
    earlier = losses.assign(epoch=1, loss=1.4)
    fitted, correlated = sentences.describe_ends(pd.concat([ends, losses, earlier]))
    assert fitted == "Seeds whose training loss is not below 0.001 at the end: σ 0.2 1 of 6."
    rank = spearmanr(epochs[:5], solved[:5]).statistic
    again = [spearmanr(epochs[:5], order).statistic for order in permutations(solved[:5])]
    p = np.mean(np.abs(again) > abs(rank) - 1e-9)
    assert correlated.endswith(f": σ 0.2 {rank:.2f} (5 seeds, p = {p:.2g}).")


def test_one_seed_is_no_verdict() -> None:
    one = {"a": "mds", "b": "none", "difference": 0.6, "low": np.nan, "high": np.nan, "n": 1}
    one |= {"q_value": 0.5, "q_all": 0.75, "p_least": 0.25}
    alone, three = sentences.describe_order(pd.DataFrame([one, one | {"low": 0.5, "high": 0.7, "n": 3}]))
    assert alone == "mds minus none: +0.600, one seed, not tested."
    assert three == (
        "mds is better than none: +0.600, 95 % interval 0.500 to 0.700, 3 seeds; by flips of signs "
        "q = 0.500, 0.750 of all tests, and so many seeds cannot give p below 0.250."
    )
