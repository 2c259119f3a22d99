"""How finished stages reach dvc's lock file."""

from pathlib import Path

import yaml
from toy_project import call, make_toy_project

from stages.pipeline.plan import address
from stages.pipeline.record import write_entries
from stages.running.repository import open_repo

ORDER = {f"dvc.yaml:{name}": place for place, name in enumerate(("begin", "a", "b", "c", "end"))}


def test_entries_stand_in_dvc_s_order_whatever_finished_first(tmp_path: Path) -> None:
    project = make_toy_project(tmp_path)
    call(project, "dvc", "repro")
    serial = (project / "dvc.lock").read_bytes()
    with open_repo(project) as repo:
        stages = {address(stage): stage for stage in repo.index.stages}
        (project / "dvc.lock").unlink()
        for names in (["end", "b"], ["c", "begin"], ["a"]):
            write_entries(project / "dvc.lock", [stages[f"dvc.yaml:{name}"] for name in names], ORDER)
    assert (project / "dvc.lock").read_bytes() == serial


def test_entries_of_other_stages_stay(tmp_path: Path) -> None:
    project = make_toy_project(tmp_path)
    call(project, "dvc", "repro", "a")
    with open_repo(project) as repo:
        (begin,) = [stage for stage in repo.index.stages if stage.name == "begin"]
        write_entries(project / "dvc.lock", [begin], {"dvc.yaml:begin": 0})
    assert list(yaml.safe_load((project / "dvc.lock").read_text())["stages"]) == ["begin", "a"]
