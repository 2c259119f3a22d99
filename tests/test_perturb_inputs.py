from pathlib import Path

import numpy as np
import pytest
from made_up import SWEEP

from stages import intervene, perturb_inputs
from stages.files import artifacts
from stages.interventions.inputs import guess_chance


def test_every_model_is_perturbed_beside_people_and_solver(analysed: Path) -> None:
    rows = artifacts.read_csv(analysed / perturb_inputs.TABLE)
    assert list(rows.columns) == perturb_inputs.COLUMNS
    assert set(rows[rows.task == "grid"].encoding) == {"focus", "people", "solver", *SWEEP}
    assert set(rows[rows.task == "network"].encoding) == {"focus", *SWEEP} - {"sinusoidal_nd"}
    value = rows.set_index(["encoding", "perturbation", "amount", "metric"]).value
    assert value["people", "none", 0, "accuracy_binary"] == pytest.approx(0.9667)
    data = artifacts.read_arrays(analysed / "data/tasks/grid/puzzles.npz")
    chance = guess_chance(data["validation_puzzles"])
    assert value["solver", "none", 0, "accuracy"] == pytest.approx(chance.mean())
    ternary = chance[data["validation_complexity"] == 3].mean()
    assert value["solver", "none", 0, "accuracy_ternary"] == pytest.approx(ternary)
    assert (
        value["solver", "removed", 4, "accuracy"] < value["solver", "removed", 1, "accuracy"] < chance.mean()
    )


def test_unperturbed_inputs_score_as_unchanged_tables(analysed: Path) -> None:
    by_seed = ["task", "encoding", "seed", "metric"]
    tables = artifacts.read_csv(analysed / intervene.TABLE)
    unchanged = tables[tables.intervention == "unchanged"].set_index(by_seed).value
    inputs = artifacts.read_csv(analysed / perturb_inputs.TABLE)
    without = inputs[inputs.amount == 0].set_index(by_seed).value
    np.testing.assert_allclose(without[unchanged.index], unchanged)
    assert len(unchanged) == 3 * 3 * 2
    noise = inputs[inputs.perturbation == "noise"].groupby(["task", "encoding", "seed"]).value.nunique()
    assert (noise == len(perturb_inputs.NOISE)).all()
