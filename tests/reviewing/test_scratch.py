"""What a clone in which stages run again takes over, and what it forgets."""

from pathlib import Path

import yaml
from published_project import git

from stages.reviewing import objects
from stages.reviewing.scratch import forget, take_outputs


def test_named_stages_lose_their_locks_and_others_are_frozen(project: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(project), "clone")
    scratch = tmp_path / "clone"
    forget(scratch, {"dvc.yaml:train@grid", "stages/tasks/grid/dvc.yaml:vary"})
    entries = [name for path in objects.list_locks(scratch) for name in objects.read_lock(path)]
    assert sorted(entries) == ["generate", "judge", *["score"] * 2, "train@network", "vary"]
    stages = yaml.safe_load((scratch / "dvc.yaml").read_text())["stages"]
    assert stages["judge"]["frozen"] and "frozen" not in stages["train"]["do"]
    for folder, frozen in {"studies/ran": True, "stages/tasks/grid": False}.items():
        stage = yaml.safe_load((scratch / folder / "dvc.yaml").read_text())["stages"]["vary"]
        assert stage.get("frozen", False) is frozen


def test_outputs_come_from_the_cache_into_another(project: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(project), "clone")
    scratch = tmp_path / "clone"
    take_outputs(project, scratch, ["data/cells/grid", "reports/runs.csv"])
    taken = {path.relative_to(scratch).as_posix() for path in scratch.glob("data/cells/*/[!.]*")}
    assert taken == {"data/cells/grid/scores.csv", "data/cells/grid/weights.bin"}
    assert len(list((scratch / ".dvc/cache").glob("files/md5/*/*"))) == 3
    assert not (scratch / ".dvc/cache/runs").exists()
