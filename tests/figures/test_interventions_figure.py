import numpy as np
import pandas as pd

from stages.figures import interventions

COLUMNS = ["task", "encoding", "seed", "intervention", "amount", "draw", "metric", "value"]
SIGMAS = {"grid": {"narrow": 0.1, "wide": 1.0}}
TABLE = pd.DataFrame(
    [
        ("grid", encoding, seed, *change, "accuracy", value + seed / 10)
        for encoding, value in [("narrow", 0.8), ("wide", 0.2)]
        for seed in (0, 1)
        for change in [
            ("unchanged", 0, 0),
            ("permuted", 1, 0),
            ("permuted", 1, 1),
            ("scaled", 2, 0),
            ("transplant", 0.1, 0),
            ("transplant", 1, 0),
        ]
    ],
    columns=COLUMNS,
)


def test_panels_show_means_over_seeds_and_draws() -> None:
    exchanged, _, factor, transplanted = interventions.draw(TABLE, SIGMAS, "made up").axes
    np.testing.assert_allclose(np.asarray(exchanged.lines[0].get_xydata()), [(0.1, 0.85), (1, 0.25)])
    assert [np.size(line.get_ydata()) for line in factor.lines] == [1, 1]
    assert [text.get_text() for text in transplanted.texts] == ["0.85", "0.85", "0.25", "0.25"]
    for ticks in (transplanted.get_xticklabels(), transplanted.get_yticklabels()):
        assert [text.get_text() for text in ticks] == ["0.1", "1"]


def test_errors_are_dark_where_they_are_small() -> None:
    table = TABLE.assign(task="network", metric="mse")
    sigmas = {"network": SIGMAS["grid"]}
    exchanged, *_, transplanted = interventions.draw(table, sigmas, "made up").axes
    assert exchanged.get_title() == "Simulated network: exchanged" and exchanged.get_ylabel() == "mse"
    assert [str(text.get_color()) for text in transplanted.texts] == ["#000000", "#000000", "white", "white"]
