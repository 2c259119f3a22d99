from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stages.core.settings.configuration import Architecture, Configuration, read_configuration
from stages.files.artifacts import read_csv
from stages.studies.planning.load import load_study
from stages.tasks.probe import theory as probe_theory

ROOT = Path(__file__).parents[2]
THEORY = read_csv(ROOT / "data/reference/probe_theory.csv", "distinct_rows", "accuracy")
CONFIGURATIONS = {
    "learned": Configuration("cells", "learned", {}),
    "rope": Configuration("cells", "rope", {}),
    "alibi_l2": Configuration("cells", "alibi", {}, Architecture(normaliser="l2")),
    "gau_rope": Configuration("cells", "rope", {}, Architecture(block="gau")),
}
DRAWN = {"learned": 12, "rope": 1, "alibi_l2": 6, "gau_rope": 12}
GOOD = {  # accuracy, loss and row spread of a seed
    "learned": (1.0, 0.01, 0.3),
    "rope": (1 / 16, np.log(16), 1e-8),
    "alibi_l2": (0.5, np.log(2), 0.3),
    "gau_rope": (1.0, 0.01, 0.3),
}
LN16, LN2 = float(np.log(16)), float(np.log(2))


def compare(configuration: Configuration, drawn: int, *seeds: tuple[float, float, float]) -> dict[str, float]:
    """Compare 12 tokens drawn and 16 trained."""
    rows = [
        (seed, metric, value)
        for seed, values in enumerate(seeds)
        for metric, value in zip(("accuracy", "loss", "row_spread"), values, strict=True)
    ]
    rows += [(seed, "diverged", float(np.isnan(values[0]))) for seed, values in enumerate(seeds)]
    runs = pd.DataFrame(rows, columns=["seed", "metric", "value"]).dropna()  # as stages/score.py leaves them
    return probe_theory.compare(configuration, THEORY, drawn, 12, runs, 16)


@pytest.mark.parametrize(
    ("name", "rows", "accuracy"),
    [("learned", 12, 1), ("rope", 1, 1 / 16), ("alibi_l2", 6, 0.5), ("gau_rope", 12, 1)],
)
def test_theory_s_terms_become_numbers_of_each_length(name: str, rows: int, accuracy: float) -> None:
    found = compare(CONFIGURATIONS[name], DRAWN[name], GOOD[name], GOOD[name])
    assert found == {
        "distinct_rows": rows, "distinct_rows_theory": rows, "accuracy_theory": accuracy, "agrees": 1.0,
    }  # fmt: skip
    assert compare(CONFIGURATIONS[name], rows + 1, GOOD[name])["agrees"] == 0


def test_the_middle_of_an_odd_number_can_be_right_too() -> None:
    assert probe_theory.evaluate_term("1/2", 5) == 0.6 and np.isnan(probe_theory.evaluate_term("", 5))


def test_what_theory_does_not_speak_of_is_counted_alone() -> None:
    unheard_of = Configuration("cells", "learned", {}, Architecture(block="gau", markers="cls"))
    assert compare(unheard_of, 12, (1.0, 0.01, 0.3)) == {"distinct_rows": 12}


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
        ("alibi_l2", (7 / 16, 0.8, 0.3), True),  # theory allows it, training did not get as far
    ],
)
def test_one_seed_decides_whether_theory_is_met(
    name: str, worst: tuple[float, float, float], agrees: bool
) -> None:
    assert compare(CONFIGURATIONS[name], DRAWN[name], GOOD[name], worst)["agrees"] == agrees


NAN = float("nan")


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("lost", [(NAN, NAN, NAN), (1.0, NAN, 1e-8), (1.0, float("inf"), 0.3)])
def test_a_seed_that_diverged_does_not_agree(name: str, lost: tuple[float, float, float]) -> None:
    assert compare(CONFIGURATIONS[name], DRAWN[name], GOOD[name], lost)["agrees"] == 0
    assert compare(CONFIGURATIONS[name], DRAWN[name], lost)["agrees"] == 0  # no seed is left


def test_theory_speaks_of_every_cell_of_the_study() -> None:
    known = set(THEORY[probe_theory.OF_MODEL].itertuples(index=False, name=None))
    for name, values in load_study(ROOT, "probe").cells.items():
        described = probe_theory.describe(read_configuration(name, values))
        assert tuple(described[key] for key in probe_theory.OF_MODEL) in known, name
