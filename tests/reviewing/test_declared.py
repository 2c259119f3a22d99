"""What publishing and verifying take for granted about dvc.yaml."""

from pathlib import Path

from dvc.repo import Repo

from stages.reviewing import records

REPO = Repo(str(Path(__file__).parents[2]))


def test_git_holds_reports_and_dvc_the_rest() -> None:
    for out in REPO.index.outs:
        assert out.def_path.split("/")[0] in records.FOLDERS
        assert out.use_cache != out.def_path.startswith(records.IN_GIT), out.def_path


def test_artifacts_are_outputs() -> None:
    (artifacts,) = REPO.artifacts.read().values()
    assert {one.path for one in artifacts.values()} <= {out.def_path for out in REPO.index.outs}
    assert "grid-focus" in artifacts  # as the README says
