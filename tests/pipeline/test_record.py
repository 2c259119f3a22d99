"""How finished stages reach dvc's lock file."""

import random
from pathlib import Path

import yaml
from toy_project import call, make_toy_project

from stages.pipeline.plan import address
from stages.pipeline.record import write_entries
from stages.running.repository import open_repo

NAMES = ["begin", "a", "b", "c", "end"]


def test_entries_stand_in_the_order_of_dvc_yaml_whatever_ended_first(tmp_path: Path) -> None:
    project = make_toy_project(tmp_path)
    call(project, "dvc", "repro")
    serial = (project / "dvc.lock").read_bytes()
    with open_repo(project) as repo:
        stages = {address(stage): stage for stage in repo.index.stages}
        for seed in range(5):
            (project / "dvc.lock").unlink()
            mixed = random.Random(seed).sample(NAMES, len(NAMES))
            for names in (mixed[:2], mixed[2:4], mixed[4:]):
                write_entries(project / "dvc.lock", [stages[f"dvc.yaml:{name}"] for name in names], NAMES)
            assert (project / "dvc.lock").read_bytes() == serial


def test_what_does_not_change_is_not_written(tmp_path: Path) -> None:
    project = make_toy_project(tmp_path)
    call(project, "dvc", "repro")
    before = (project / "dvc.lock").stat().st_ino
    with open_repo(project) as repo:
        write_entries(project / "dvc.lock", repo.index.stages[2:4], NAMES)
    assert (project / "dvc.lock").stat().st_ino == before


def test_entries_of_declared_stages_stay_and_no_others(tmp_path: Path) -> None:
    project = make_toy_project(tmp_path)
    call(project, "dvc", "repro", "a")
    with open_repo(project) as repo:
        (begin,) = [stage for stage in repo.index.stages if stage.name == "begin"]
        for declared in (["a", "begin"], ["begin"]):
            write_entries(project / "dvc.lock", [begin], declared)
            assert list(yaml.safe_load((project / "dvc.lock").read_text())["stages"]) == declared
