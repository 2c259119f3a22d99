"""What `make repro` says in one line before dvc starts."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dvc.repo import Repo

from stages.parameters import params
from stages.pipeline.prepare import set_scale
from stages.running.repository import output_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(shutil.copy(ROOT / "params.yaml", tmp_path))


def prepare(folder: Path, *arguments: str) -> str:
    """Standard error of the command in `folder`; empty where it succeeds."""
    command = [sys.executable, "-m", "stages.pipeline.prepare", *arguments]
    run = subprocess.run(command, cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert run.returncode == bool(run.stderr), run.stderr
    return run.stderr


def test_a_scale_is_written_and_nothing_else(path: Path) -> None:
    before = path.read_text()
    set_scale(path, "paper")
    assert params.load(path).scale == "paper"
    path.write_text(path.read_text().replace("scale: paper", "scale: mistaken  # why"))
    set_scale(path, params.load(ROOT / "params.yaml").scale)
    assert path.read_text().replace("  # why", "") == before


@pytest.mark.parametrize(
    ("scale", "complaint"), [("hugh", r"'hugh' is not known.*small"), ("a b", "'a b' given")]
)
def test_an_unknown_scale_changes_nothing(path: Path, scale: str, complaint: str) -> None:
    before = path.read_bytes()
    with pytest.raises(ValueError, match=complaint):
        set_scale(path, scale)
    assert path.read_bytes() == before and list(path.parent.iterdir()) == [path]


def test_mistakes_are_one_line_with_the_cure(path: Path) -> None:
    (path.parent / ".dvc").mkdir()  # as in a zip
    error = prepare(path.parent)
    assert error.count("\n") == 1 and "`dvc config --local core.no_scm true`" in error
    (path.parent / ".dvc/config").write_text("[core]\n    no_scm = true\n")
    assert prepare(path.parent) == ""
    path.write_text(path.read_text().replace("scale: small", "scale: smal"))
    error = prepare(path.parent)
    assert error.count("\n") == 1 and "'smal' is not known; expected one of" in error
    assert prepare(path.parent, "--scale", "small") == ""


def test_without_a_scale_the_file_s_own_stays(path: Path) -> None:
    Repo.init(str(path.parent), no_scm=True)
    set_scale(path, "paper")
    assert prepare(path.parent) == "" and params.load(path).scale == "paper"


def test_what_a_command_prints() -> None:
    assert output_of("sh", "-c", "echo 1") == "1\n"
    assert output_of("sh", "-c", "echo no such device; exit 9") is output_of("no-such-command") is None
