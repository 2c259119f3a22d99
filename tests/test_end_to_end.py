"""The whole pipeline at scale smoke in a copy of the project: what it writes, what it does not run again."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from changed_params import write_yaml
from commands import call
from whole_project import SIGMA, TASKS, ran, run_project

from stages.studies.tables import VERDICTS, read_table

pytestmark = pytest.mark.slow

# the arithmetic of other machines, as far as libraries can be told to compute as there
OTHER_MACHINES: dict[str, dict[str, str]] = {
    "avx2": {"ATEN_CPU_CAPABILITY": "avx2"},
    "no vector instructions": {"ATEN_CPU_CAPABILITY": "default"},
}
OWN: dict[str, Any] = {
    "question": "Do more heads help?",
    "tasks": ["network"],
    "set": {"model.heads": 2, "network.nodes": 12},
    "cells": {"learned": {"scheme": "learned"}, "none": {"scheme": "none"}},
    "compare": {"encoding": {"pairs": [["learned", "none"]]}},
    "figure": {"kind": "rows"},
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a committed copy of the project after `dvc repro` at scale smoke."""
    return run_project(tmp_path_factory.mktemp("end_to_end") / "project")


def test_every_cell_that_fits_its_task_is_in_the_tables(project: Path) -> None:
    scores = read_table(project / "reports/studies/sigma/scores.csv")
    cells = {(task, cell) for task in TASKS for cell in ("focus", *SIGMA["cells"])}
    cells -= {("network", "sinusoidal_nd")}  # a modular network has no coordinates
    scored = scores[~scores.cell.str.startswith("floor_")]
    assert set(zip(scored.task, scored.cell, strict=True)) == cells
    assert set(scored[scored.cell == "learned"]["at"]) == {"0.2", "2"}
    assert {"floor_gaussian", "floor_trees", "floor_nearest"} <= set(scores.cell)
    metrics = {"alignment", "content_accuracy", "order_accuracy", "auc_functional"}
    assert metrics <= set(scores.metric)
    assert (project / "data/studies/sigma/cells/network-sinusoidal_nd/skipped.json").exists()


def test_differences_and_verdicts_are_told(project: Path) -> None:
    differences = pd.read_csv(project / "reports/studies/sigma/differences.csv")
    assert set(differences.task) == set(TASKS) and (differences.n == 2).all()
    verdicts = pd.read_csv(project / "reports/studies/sigma/verdicts.csv")
    assert len(verdicts) == 5 and set(verdicts.outcome) <= set(VERDICTS[:3])
    verdicts = pd.read_csv(project / "reports/studies/probe/verdicts.csv")
    assert verdicts.verdict.tolist() == ["open"]  # two seeds decide nothing, although both agree
    assert (verdicts.difference <= 0).all()


def test_pages_figures_and_the_block_of_the_first_page_are_written(project: Path) -> None:
    for path in ("reports", "reports/studies/sigma", "reports/studies/probe"):
        assert (project / path / "figure.png").stat().st_size > 1000
    for page in ("reports/report.html", "reports/studies/sigma/page.html"):
        html = (project / page).read_text()
        assert html.lstrip().startswith("<!doctype html>") and "A small table is better." in html
    block = (project / "README.md").read_text().partition("<!-- claims: begin -->")[2]
    assert "A small table is better." in block.partition("<!-- claims: end -->")[0]
    metrics = json.loads((project / "reports/metrics.json").read_text())
    assert set(metrics) == set(TASKS) and all("alignment" in of_task for of_task in metrics.values())


def test_nothing_changed_runs_nothing(project: Path) -> None:
    assert ran(call(project, "dvc", "repro")) == set()
    assert call(project, "git", "status", "--porcelain") == ""


@pytest.mark.thorough  # tests/test_train.py tries each thing that decides a cell
def test_an_edit_of_one_encoding_trains_its_cells_alone(project: Path) -> None:
    """And a comment none."""
    scheme = project / "stages/core/encodings/random_fixed.py"
    text = scheme.read_text(encoding="utf-8")
    scheme.write_text(f"{text}USELESS = 1\n", encoding="utf-8")
    assert "sigma: 12 cells kept, 3 to train" in call(project, "dvc", "repro", "train@sigma")
    scheme.write_text(f"{text}# a comment\n", encoding="utf-8")
    told = call(project, "dvc", "repro")
    assert "sigma: 15 cells kept, 0 to train" in told
    assert ran(told) == {f"{step}@{study}" for step in ("train", "score") for study in ("sigma", "probe")}
    changed = call(project, "git", "status", "--porcelain").split()[1::2]
    assert changed == ["dvc.lock", "stages/core/encodings/random_fixed.py"]
    call(project, "git", "restore", ".")


@pytest.mark.thorough  # quick ones: of a replay in tests/reviewing, of equal bytes in test_killed_training.py
@pytest.mark.parametrize("stages", [[], ["score@probe"]], ids=["all", "some"])
def test_what_is_made_again_is_the_same(project: Path, stages: list[str]) -> None:
    last = call(project, "python", "stages/reviewing", "replay", *stages).splitlines()[-1]
    assert last.startswith("reproduced: "), last


@pytest.mark.thorough
@pytest.mark.parametrize("machine", OTHER_MACHINES)
def test_all_made_again_as_on_another_machine_is_within_tolerance(project: Path, machine: str) -> None:
    variables = OTHER_MACHINES[machine]
    last = call(project, "python", "stages/reviewing", "replay", **variables).splitlines()[-1]
    assert last.startswith("reproduced: "), last


@pytest.mark.thorough  # tests/test_additions.py runs a question of one file
def test_a_study_of_one_s_own_runs_with_its_data_and_comes_into_the_report(project: Path) -> None:
    """The last test, as it changes the project."""
    write_yaml(project / "studies/own.yaml", OWN)
    call(project, "python", "-m", "stages", "add", "own")
    assert ran(call(project, "dvc", "repro", "studies/dvc.yaml:conclude@own")) == {
        f"studies/dvc.yaml:{step}@own" for step in ("train", "score", "conclude")
    }
    call(project, "dvc", "repro", "--single-item", "--force", "report")
    scores = read_table(project / "reports/studies/own/scores.csv")
    assert {"learned", "none", "floor_gaussian"} <= set(scores.cell)
    assert "Do more heads help?" in (project / "reports/report.html").read_text()
    assert (project / "reports/studies/own/page.html").exists()
    changed = call(project, "git", "status", "--porcelain").split()[1::2]
    assert not [path for path in changed if path.startswith(("data/", "reports/studies/sigma"))]
