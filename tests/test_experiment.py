"""`dvc exp run` in a copy of the project with next to no sweep."""

import csv
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from changed_params import VALUES
from commands import call
from whole_project import ran, run_project

TASKS = list(VALUES["tasks"])
# of the sweep
KEPT: dict[str, dict[str, Any]] = dict.fromkeys(VALUES["sweep"], {}) | {
    "network": {"rope": {"scheme": "rope"}}
}
ACROSS_TASKS = {"check_configurations", "distinguish", "align_tables", "describe_tables", "test_differences"}
ACROSS_TASKS |= {"map_attention", "intervene", "perturb_inputs", "ask_longer", "render", "report"}


@pytest.mark.slow
def test_it_trains_the_focus_and_what_it_adds_alone(tmp_path: Path) -> None:
    project = run_project(tmp_path / "project", {"sweep": KEPT})
    of_tasks = {
        f"stages/tasks/{task}/dvc.yaml:{stage}" for task in TASKS for stage in ("train_pe@focus", "evaluate")
    }
    added = "+sweep.network.learned_s030={scheme: learned, init_std: 0.3}"
    changes = ("-S", "pe.init_std=0.01", "-S", added)
    output = call(project, "dvc", "exp", "run", "--name", "narrow", *changes)
    assert ran(output) == of_tasks | ACROSS_TASKS | {"stages/tasks/network/dvc.yaml:train@learned_s030"}
    rows = list(csv.DictReader(call(project, "dvc", "exp", "show", "--csv").splitlines()))
    (narrow,) = [row for row in rows if row["Experiment"] == "narrow"]
    assert float(narrow["pe.init_std"]) == 0.01
    assert 0 < float(narrow["network.validation_mse"]) < 10
    runs = pd.read_csv(project / "reports/tables/runs.csv")
    assert set(runs[runs.encoding == "learned_s030"].task) == {"network"}
