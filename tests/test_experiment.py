"""Experiments of dvc in a copy of the project with next to no studies: each trains the focus alone, once."""

import csv
import shutil
from pathlib import Path

import pytest
from commands import call
from whole_project import ran, run_project

pytestmark = pytest.mark.thorough
FOCUS_ALONE = "sigma: 12 cells kept, 3 to train"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_project(tmp_path_factory.mktemp("experiment") / "project")


@pytest.fixture(autouse=True)
def back(project: Path) -> None:
    """Go back to what is committed, as a user does, and hold that this trains nothing."""
    call(project, "git", "restore", "--staged", "--worktree", ".")
    call(project, "dvc", "checkout")
    assert ran(call(project, "dvc", "repro")) == set()


def shown(project: Path) -> dict[str, dict[str, str]]:
    """Read what dvc tells of each experiment."""
    rows = csv.DictReader(call(project, "dvc", "exp", "show", "--csv").splitlines())
    return {row["Experiment"]: row for row in rows}


def test_in_the_workspace_and_applied_it_trains_nothing_twice(project: Path) -> None:
    told = call(project, "dvc", "exp", "run", "--name", "narrow", "-S", "pe.init_std=0.01")
    assert FOCUS_ALONE in told and "probe: 2 cells kept, 0 to train" in told
    narrow = shown(project)["narrow"]
    assert float(narrow["pe.init_std"]) == 0.01
    assert 0 < float(narrow["network.validation_mse"]) < 10 and -1 < float(narrow["grid.alignment"]) < 1
    call(project, "git", "restore", "--staged", "--worktree", ".")
    call(project, "dvc", "checkout")
    assert ran(call(project, "dvc", "repro")) == set()
    call(project, "dvc", "exp", "apply", "narrow")
    assert "to train" not in call(project, "dvc", "repro").replace(", 0 to train", "")


def test_in_a_folder_of_its_own_it_finds_the_cells_of_the_project(project: Path) -> None:
    before = (project / "params.yaml").read_bytes()
    told = call(project, "dvc", "exp", "run", "--temp", "--name", "aside", "-S", "pe.init_std=0.03")
    assert FOCUS_ALONE in told and (project / "params.yaml").read_bytes() == before


def test_two_of_a_queue_run_side_by_side(project: Path) -> None:
    for name, value in {"one": 0.05, "two": 0.07}.items():
        call(project, "dvc", "exp", "run", "--queue", "--name", name, "-S", f"pe.init_std={value}")
    call(project, "dvc", "queue", "start", "--jobs", "2")
    for name in ("one", "two"):
        assert FOCUS_ALONE in call(project, "dvc", "queue", "logs", "--follow", name)
    assert {"one", "two"} <= shown(project).keys()


def test_what_dvc_s_cache_does_not_need_may_go(project: Path) -> None:
    call(project, "dvc", "gc", "--workspace", "--force")
    shutil.rmtree(project / "data/studies")
    call(project, "dvc", "checkout")
    assert ran(call(project, "dvc", "repro")) == set()
