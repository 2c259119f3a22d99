from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stages.files.artifacts import read_csv
from stages.measures import probe
from stages.parameters import params
from stages.parameters.params import Architecture, Configuration

ROOT = Path(__file__).parents[2]
THEORY = read_csv(ROOT / "data/reference/probe_theory.csv", distinct_rows=str, accuracy=str)
CONFIGURATIONS = {
    "learned": Configuration("sweep", "learned", {}),
    "rope": Configuration("sweep", "rope", {}),
    "alibi_l2": Configuration("sweep", "alibi", {}, Architecture(normaliser="l2")),
    "gau_rope": Configuration("sweep", "rope", {}, Architecture(block="gau")),
    "unheard_of": Configuration("sweep", "learned", {}, Architecture(block="gau", markers="cls")),
}
ROWS = {"learned": 12, "rope": 1, "alibi_l2": 6, "gau_rope": 12, "unheard_of": 12}
SCORES = {
    "learned": [(1.0, 0.01, 0.3), (1.0, 0.01, 0.3)],
    "rope": [(1 / 16, np.log(16), 1e-8), (3 / 16, np.log(16), 1e-7)],
    "alibi_l2": [(0.5, np.log(2), 0.3), (0.5, np.log(2), 0.3)],
    "gau_rope": [(1.0, 0.01, 0.3), (1.0, 0.01, 0.3)],
    "unheard_of": [(0.4, 2.0, 0.3), (0.4, 2.0, 0.3)],
}


def compared(rows: dict[str, int] = ROWS, /, **changed: list[tuple[float, float, float]]) -> pd.DataFrame:
    runs = [
        ("probe", name, seed, "train", metric, value)
        for name, seeds in (SCORES | changed).items()
        for seed, values in enumerate(seeds)
        for metric, value in zip(("accuracy", "loss", "row_spread"), values, strict=True)
    ]
    table = pd.DataFrame(runs, columns=["task", "encoding", "seed", "split", "metric", "value"])
    distinct = pd.DataFrame({"configuration": rows.keys(), "distinct_rows": rows.values(), "n": 12})
    distinct = pd.concat([distinct, distinct.assign(distinct_rows=1)])  # another draw, where fewer differ
    return probe.compare(CONFIGURATIONS, THEORY, distinct, table, 16).set_index("configuration")


def test_theory_s_terms_become_numbers_of_each_length() -> None:
    table = compared()
    assert table.loc[["learned", "rope", "alibi_l2"], "distinct_rows_theory"].tolist() == [12, 1, 6]
    assert table.loc[["learned", "rope", "alibi_l2"], "accuracy_theory"].tolist() == [1, 1 / 16, 0.5]
    assert (table.n == 16).all() and (table.n_drawn == 12).all()
    assert probe.evaluate_term("1/2", 5) == 0.6  # the middle one can be right too


def test_gated_units_have_their_own_normaliser() -> None:
    assert compared().normaliser.to_dict()["gau_rope"] == "relu2_mean"


def test_seeds_are_summed_up() -> None:
    row = compared(alibi_l2=[(0.5, 0.7, 0.3), (7 / 16, 0.8, 0.2)]).loc["alibi_l2"]
    assert (row.accuracy, row.accuracy_min, row.accuracy_max) == (15 / 32, 7 / 16, 0.5)
    assert (row.loss, row.row_spread) == (pytest.approx(0.75), 0.3)


def test_agreement_is_empty_where_theory_or_a_measurement_is_missing() -> None:
    table = compared()
    assert table.agrees.drop("unheard_of").tolist() == [True] * 4 and table.agrees["unheard_of"] is None
    for column in ("distinct_rows", "loss", "accuracy_min", "row_spread"):
        assert probe.check(table.loc["learned"].drop(column).reindex(table.columns)) is None


LN16, LN2 = float(np.log(16)), float(np.log(2))


@pytest.mark.parametrize(
    ("name", "worst", "agrees"),
    [
        ("learned", (0.99, 0.1, 0.3), True),
        ("learned", (0.98, 0.1, 0.3), False),  # not learned, although every row differs
        ("rope", (0.25, LN16 + 0.0019, 1e-5), True),  # rounding decides the largest of equal outputs
        ("rope", (1 / 16, LN16 - 0.0022, 1e-8), False),  # learned what cannot be learned
        ("rope", (1 / 16, LN16 + 0.0022, 1e-8), False),  # did not even learn to guess
        ("rope", (1 / 16, LN16, 1.1e-5), False),  # rows that are not equal
        ("alibi_l2", (9 / 16, 0.8, 0.3), False),  # told mirror images apart
        ("alibi_l2", (9 / 16, LN2 + 0.018, 0.3), True),  # their outputs tie, rounding decides
        ("alibi_l2", (9 / 16, LN2 + 0.022, 0.3), False),
        ("alibi_l2", (8 / 16, LN2 - 0.0022, 0.3), False),  # the same, by its probabilities alone
        ("alibi_l2", (8 / 16, LN2 - 0.0018, 0.3), True),
        ("alibi_l2", (7 / 16, 0.8, 0.3), "bound"),  # theory allows it, training did not get as far
    ],
)
def test_one_seed_decides_whether_theory_is_met(
    name: str, worst: tuple[float, float, float], agrees: bool | str
) -> None:
    changed = compared(**{name: [SCORES[name][0], worst]}).agrees
    assert changed[name] == agrees
    assert changed.drop([name, "unheard_of"]).eq(True).all()


def test_as_many_distinct_rows_as_theory_says() -> None:
    for rows in (5, 7):
        assert compared(ROWS | {"alibi_l2": rows}).agrees["alibi_l2"] is False


def test_theory_speaks_of_every_configuration_of_the_sweep() -> None:
    settings = params.load(ROOT / "params.yaml")
    known = set(THEORY[probe.OF_MODEL].itertuples(index=False, name=None))
    for name in settings.configurations("probe"):
        described = probe.describe(name, settings.configuration("probe", name))
        assert tuple(described[key] for key in probe.OF_MODEL) in known, name
