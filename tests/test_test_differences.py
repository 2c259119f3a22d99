from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from changed_params import ROOT
from made_up import SWEEP, project

from stages import test_differences
from stages.files import artifacts
from stages.parameters import params

SEEDS = 8


@pytest.fixture(scope="module")
def tests(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """tests.csv of scores and alignment that are worse by the same 0.25 at sigma 2."""
    made = tmp_path_factory.mktemp("differences")
    project(made, SWEEP, seeds=1)
    to_and_fro = 0.01 * (-1.0) ** np.arange(SEEDS)
    values = {"focus": 0.8 + to_and_fro, "learned_s020": np.full(SEEDS, 0.8)}
    values |= {"learned_s200": 0.55 + 2 * to_and_fro, "none": 0.5 + to_and_fro}
    rows = [(name, seed, value) for name, of_seeds in values.items() for seed, value in enumerate(of_seeds)]
    table = pd.DataFrame(rows, columns=["encoding", "seed", "value"]).assign(task="grid")
    runs = table.assign(split="validation", metric="accuracy")
    elsewhere = runs.assign(split="train", value=1.0)
    artifacts.write_csv(made / test_differences.RUNS, pd.concat([runs, elsewhere]))
    aligned = table.assign(block="all", measure="spearman", null_mean=0, p_value=1)
    parts = [aligned.assign(reference=name) for name in ("same_line", "grid_distance")]
    parts.append(parts[0].assign(block="0", value=0.0))
    artifacts.write_csv(made / test_differences.ALIGNMENT, pd.concat(parts))
    test_differences.main(made)
    return artifacts.read_csv(made / test_differences.TESTS)


def chosen(tests: pd.DataFrame, family: str) -> dict[tuple[str, str, str], Any]:
    """Tests of the family by metric and configurations."""
    of_family = tests[tests.family == family]
    return {(row.metric, row.a, row.b): row for _, row in of_family.iterrows()}


def test_every_sigma_is_tested_against_the_reference(tests: pd.DataFrame) -> None:
    of_sigma = chosen(tests, "sigma: generalisation")
    assert set(of_sigma) == {("accuracy", name, "learned_s020") for name in ("focus", "learned_s200")}
    worse = of_sigma["accuracy", "learned_s200", "learned_s020"]
    assert worse.difference == pytest.approx(-0.25) and worse.high < -0.2
    # all 8 seeds agree; the smaller of two p is doubled
    assert worse.p_value == worse.p_least == 2**-7
    assert worse.q_value == pytest.approx(2 * worse.p_value)
    assert of_sigma["accuracy", "focus", "learned_s020"].p_value == 1


def test_every_sigma_is_tested_against_every_other_scheme(tests: pd.DataFrame) -> None:
    names = ("focus", "learned_s020", "learned_s200")
    assert set(chosen(tests, "scheme: generalisation")) == {("accuracy", name, "none") for name in names}


def test_alignment_is_tested_for_each_reference(tests: pd.DataFrame) -> None:
    of_alignment = chosen(tests, "sigma: alignment")
    assert {metric for metric, *_ in of_alignment} == {"alignment_same_line", "alignment_grid_distance"}
    assert len(of_alignment) == 4 and {row.n for row in of_alignment.values()} == {SEEDS}


def test_the_reference_is_the_sweeps_own_and_may_be_absent() -> None:
    assert test_differences.pair_with_reference({"a": 0.1, "b": 1.0}) == []
    assert test_differences.pair_with_reference({"focus": 0.2, "s020": 0.2, "b": 1.0}) == [("b", "s020")]


def test_errors_are_compared_with_peoples() -> None:
    levels = {"accuracy_binary": 0.9, "accuracy_ternary": 0.7, "accuracy_quaternary": 0.5}
    rows = [("grid", "none", seed, "validation", *one) for seed in range(2) for one in levels.items()]
    runs = pd.DataFrame(rows, columns=["task", "encoding", "seed", "split", "metric", "value"])
    settings = params.load(ROOT / "params.yaml")
    (found,) = test_differences.compare_with_people(settings, ROOT, runs).to_dict("records")
    assert found["slope"] == pytest.approx(-0.2) and found["slope_people"] == pytest.approx(-0.1521)
    larger = replace(settings, sections={"grid": settings.sections["grid"] | {"order": 5}})
    assert test_differences.compare_with_people(larger, ROOT, runs).empty
