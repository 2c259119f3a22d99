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
    "rope": [(1 / 16, np.log(16), 1e-8), (3 / 16, np.log(16) + 1e-6, 1e-7)],
    "alibi_l2": [(0.5, np.log(2), 0.3), (7 / 16, 0.8, 0.3)],
    "gau_rope": [(1.0, 0.01, 0.3), (1.0, 0.01, 0.3)],
    "unheard_of": [(0.4, 2.0, 0.3), (0.4, 2.0, 0.3)],
}


def compared(**changed: list[tuple[float, float, float]]) -> pd.DataFrame:
    runs = [
        ("probe", name, seed, "train", metric, value)
        for name, seeds in (SCORES | changed).items()
        for seed, values in enumerate(seeds)
        for metric, value in zip(("accuracy", "loss", "row_spread"), values, strict=True)
    ]
    table = pd.DataFrame(runs, columns=["task", "encoding", "seed", "split", "metric", "value"])
    distinct = pd.DataFrame({"configuration": ROWS.keys(), "distinct_rows": ROWS.values(), "n": 12})
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
    row = compared().loc["alibi_l2"]
    assert (row.accuracy, row.accuracy_min, row.accuracy_max) == (15 / 32, 7 / 16, 0.5)
    assert compared().loc["rope"].row_spread == 1e-7


def test_all_agrees_and_what_theory_leaves_out_is_empty() -> None:
    agrees = compared().agrees
    assert agrees.drop("unheard_of").tolist() == [True] * 4
    assert pd.isna(agrees["unheard_of"])


@pytest.mark.parametrize(
    ("name", "worse"),
    [
        ("learned", (0.98, 0.1, 0.3)),  # not learned
        ("rope", (0.25, np.log(16) - 0.01, 1e-8)),  # learned what cannot be
        ("rope", (1 / 16, np.log(16), 1e-4)),  # rows that are not equal
        ("alibi_l2", (9 / 16, 0.6, 0.3)),  # told mirror images apart
    ],
)
def test_one_seed_against_theory_is_enough(name: str, worse: tuple[float, float, float]) -> None:
    agrees = compared(**{name: [SCORES[name][0], worse]}).agrees
    assert agrees[name] is False
    assert agrees.drop([name, "unheard_of"]).all()


def test_theory_speaks_of_every_configuration_of_the_sweep() -> None:
    settings = params.load(ROOT / "params.yaml")
    known = set(THEORY[probe.OF_MODEL].itertuples(index=False, name=None))
    for name in settings.sweep.probe:
        described = probe.describe(name, settings.configuration("probe", name))
        assert tuple(described[key] for key in probe.OF_MODEL) in known, name
