import json
import shutil
from pathlib import Path

import pytest
import yaml

from stages.reviewing.pipeline import Stage
from stages.reviewing.rerun import STATE, apply_settings, list_inputs, prepare, run_stages

TRAIN = Stage("train@a", "", ("code/package/train.py",), ("data/models/a",))
EVALUATE = Stage("evaluate", "", ("data/models", "code/package"), ("data/scores.csv",))
CODE = ["code/__init__.py", "code/package/train.py"]
READ = ["data/models/b/w.npz", "own.csv", "params.yaml"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for path in (
        *("code/__init__.py", "code/package/train.py", "code/package/__pycache__/train.pyc", "own.csv"),
        *("data/models/a/w.npz", "data/models/b/w.npz", "data/models/.b.checkpoint.part", "data/other.csv"),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    (root / "params.yaml").write_text("grid: {files: [own.csv, /etc/hostname, ../own.csv]}\n")
    return root


def test_code_parameters_and_own_files_and_nothing_the_stages_make(project: Path) -> None:
    assert list_inputs(project, [TRAIN, EVALUATE]) == [*CODE, *READ]
    assert list_inputs(project, [EVALUATE]) == [*CODE, "data/models/a/w.npz", *READ]
    task = project / "stages/tasks/another/facts.py"  # params.yaml has a section of it
    task.parent.mkdir(parents=True)
    task.touch()
    assert "stages/tasks/another/facts.py" in list_inputs(project, [TRAIN])
    shutil.rmtree(project / "stages")
    shutil.rmtree(project / "data/models")  # that only the stages fill
    assert "params.yaml" in list_inputs(project, [TRAIN, EVALUATE])


def test_a_missing_input_names_its_reader(project: Path) -> None:
    with pytest.raises(ValueError, match="data/none.csv not found, which report reads"):
        list_inputs(project, [Stage("report", "", ("data/none.csv",), ())])


def test_a_copy_is_fresh_and_has_its_own_parameters(project: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    (copy / "left").mkdir(parents=True)
    prepare(project, copy, [Stage("report", "", (), ())], {"params": {"device": "cpu"}})
    assert sorted(path.name for path in copy.iterdir()) == [
        ".replay",
        ".replay.json",
        "own.csv",
        "params.yaml",
    ]
    assert yaml.safe_load((copy / "params.yaml").read_text()) == {"device": "cpu"}


def test_stages_run_at_once_behind_those_they_need(project: Path, tmp_path: Path) -> None:
    meet = "touch {0}.on; timeout 60 sh -c 'until [ -e {1}.on ]; do sleep 0.05; done' && touch {0}"
    end = Stage("end", "cat a b && touch end", ("a", "b"), ("end",), needs=("a", "b"))
    stages = [end, *(Stage(name, meet.format(name, other), (), (name,)) for name, other in ("ab", "ba"))]
    prepare(project, tmp_path / "copy", stages, {"params": {}})
    assert [stage.name for stage in run_stages(stages, tmp_path / "copy", at_once=2)][-1] == "end"


def test_what_ended_beside_a_failure_is_done(project: Path, tmp_path: Path) -> None:
    wait = "touch a.on; until [ -e b.on ]; do sleep 0.05; done; sleep 0.5; touch a"
    stages = [
        Stage("a", f"timeout 60 sh -c '{wait}'", (), ("a",)),
        Stage("b", "touch b.on; false", (), ("b",)),
    ]
    prepare(project, tmp_path / "copy", stages, {"params": {}})
    with pytest.raises(ValueError, match="b failed with exit status 1"):
        list(run_stages(stages, tmp_path / "copy", at_once=2))
    assert json.loads((tmp_path / "copy" / STATE).read_text())["done"] == ["a"]


def test_settings_of_how_training_computes() -> None:
    parameters = {"device": "auto", "compute": {"threads": None}, "seed": 0}
    changed = apply_settings(parameters, ["compute.threads=2", "device=cpu"])
    assert changed == {"device": "cpu", "compute": {"threads": 2}, "seed": 0}
    assert parameters["compute"] == {"threads": None}


@pytest.mark.parametrize("setting", ["seed=1", "pe.init_std=0.1", "compute.treads=1", "device", "device=["])
def test_what_the_experiments_are_is_not_set(setting: str) -> None:
    with pytest.raises(
        ValueError, match="given, expected key=value with one of device, compute.threads; for"
    ):
        apply_settings({"device": "auto", "compute": {"threads": None}, "seed": 0}, [setting])
