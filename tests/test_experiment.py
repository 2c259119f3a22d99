"""`dvc exp run` in a copy of the project with next to no studies."""

import csv
from pathlib import Path

import pytest
from commands import call
from whole_project import run_project


def shown(project: Path) -> dict[str, dict[str, str]]:
    """What dvc tells of each experiment."""
    rows = csv.DictReader(call(project, "dvc", "exp", "show", "--csv").splitlines())
    return {row["Experiment"]: row for row in rows}


@pytest.mark.thorough
def test_it_trains_the_focus_alone_and_tells_its_scores(tmp_path: Path) -> None:
    project = run_project(tmp_path / "project")
    output = call(project, "dvc", "exp", "run", "--name", "narrow", "-S", "pe.init_std=0.01")
    assert "sigma: 12 cells kept, 3 to train" in output and "probe: 2 cells kept, 0 to train" in output
    narrow = shown(project)["narrow"]
    assert float(narrow["pe.init_std"]) == 0.01
    assert 0 < float(narrow["network.validation_mse"]) < 10 and -1 < float(narrow["grid.alignment"]) < 1
