"""What another draw of validation puzzles changes, against drawing them again."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import sem

from stages.published import redraw, sentences


def test_the_spread_of_a_draw_is_that_of_drawing_again() -> None:
    rng, names = np.random.default_rng(0), ["binary", "ternary", "quaternary"]
    chances = {name: rng.beta(2, 1, size=12) for name in names}  # of each puzzle drawn
    rows = [
        {"run": "a", "seed": seed, "complexity": name, "puzzle": at, "turns": 3, "solved": rng.binomial(3, p)}
        for seed in range(2)
        for name, of in chances.items()
        for at, p in enumerate(of)
    ]
    solved = pd.DataFrame(rows)
    table = redraw.spread_draws(solved).set_index("condition")
    shares = solved.groupby(["complexity", "puzzle"]).solved.mean() / 3
    again = {name: rng.choice(shares[name], size=(20_000, 12)).mean(1) for name in names}
    few = np.sqrt(12 / 11)  # drawing from 12 puzzles spreads less than drawing such puzzles
    for name, means in again.items():
        assert table.draw_sd[name] == pytest.approx(sem(shares[name]), rel=1e-9)
        assert table.draw_sd[name] == pytest.approx(means.std() * few, rel=0.03)
    of_all = np.mean(list(again.values()), axis=0)
    assert [table[name]["all"] for name in ("puzzles", "seeds", "mean")] == pytest.approx(
        [36, 2, shares.mean()]
    )
    assert table.draw_sd["all"] == pytest.approx(of_all.std() * few, rel=0.03)


def test_one_puzzle_has_no_spread() -> None:
    one = {"run": "a", "seed": 0, "turns": 3, "solved": [3, 2, 1], "puzzle": [0, 1, 0]}
    solved = pd.DataFrame(one | {"complexity": ["binary", "binary", "ternary"]})
    table = redraw.spread_draws(solved).set_index("condition").draw_sd
    assert table["binary"] == pytest.approx(sem([1, 2 / 3])) and table[["ternary", "all"]].isna().all()


def test_differences_are_told_in_spreads_of_two_draws() -> None:
    conditions = [*2 * ["all"], *2 * ["quaternary"], "binary"]
    rows = pd.DataFrame({"run": [*"ababa"], "condition": conditions})
    rows = rows.assign(seeds=1, puzzles=36, mean=0.9, draw_sd=[0.01, 0.02, 0.05, 0.04, 0])
    beside = rows[["run", "condition"]].assign(
        split="validation", n=3, difference=[0.1, np.nan, -0.1, np.nan, 0.1]
    )
    table = redraw.set_beside(rows, beside)
    expected = [0.1 / np.hypot(0.01, 0.01), -0.1 / np.hypot(0.05, 0.05)]
    assert table.in_sds.tolist()[:4:2] == pytest.approx(expected) and np.isnan(table.in_sds[4])
    assert sentences.describe_draws(table) == (
        "Another draw of validation puzzles alone spreads a mean by a standard deviation of all 0.010 (a) to "
        "0.020 (b); quaternary 0.040 (b) to 0.050 (a). Of 2 differences from the published, more than 2 such "
        "spreads of two draws: a, all (+7.1, by 1 of 3 seeds)."
    )
