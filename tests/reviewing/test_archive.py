"""One archive of the tiny project: what it holds, and that a reviewer needs nothing else."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from published_project import ROOT, Published, git, pull_from

from stages.core.settings.errors import InputError
from stages.reviewing.archive import BUNDLE, archive
from stages.reviewing.pull import pull
from stages.reviewing.sums import find_faults
from stages.running.git import ask_git


def test_a_clone_of_its_bundle_pulls_from_it(published: Published, tmp_path: Path) -> None:
    archive(published.project, str(tmp_path / "all.zip"))
    unpacked = tmp_path / "unpacked"
    shutil.unpack_archive(tmp_path / "all.zip", unpacked)
    subprocess.run(["sha256sum", "-c", "--strict", "--quiet", "SHA256SUMS"], check=True, cwd=unpacked)
    summed = {line.split("  ")[1] for line in (unpacked / "SHA256SUMS").read_text().splitlines()}
    files = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert files == summed | {"SHA256SUMS"} and {BUNDLE, "dvc.yaml", "reports/maps.npz"} <= summed
    git(tmp_path, "clone", "-q", str(unpacked / BUNDLE), "clone")
    pull_from(tmp_path / "clone", str(unpacked))
    pull(tmp_path / "clone")
    assert find_faults(tmp_path / "clone") == []


def test_what_is_not_published_is_not_archived(published: Published, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(published.project, tmp_path / "copy"))
    sums = copy / "reports/SHA256SUMS"
    sums.write_text(sums.read_text().replace("reports/maps.npz", "reports/gone.npz"))
    with pytest.raises(InputError, match="missing: reports/gone.npz, one of 1; `make publish`"):
        archive(copy, str(tmp_path / "a.zip"))
    assert not (tmp_path / "a.zip").exists()


def test_history_that_could_not_be_cloned_is_not_archived(published: Published, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(published.project, tmp_path / "copy"))
    first = (ask_git(copy, "rev-list", "--max-parents=0", "HEAD") or "").strip()
    (copy / ".git/shallow").write_text(f"{first}\n")
    with pytest.raises(InputError, match="shallow.*`git fetch --unshallow`"):
        archive(copy, str(tmp_path / "a.zip"))
    (copy / ".git/shallow").unlink()
    (copy / ".git/objects" / first[:2] / first[2:]).unlink()
    with pytest.raises(InputError, match="git bundle: "):
        archive(copy, str(tmp_path / "a.zip"))
    shutil.rmtree(copy / ".git")
    with pytest.raises(InputError, match="not a git checkout"):
        archive(copy, str(tmp_path / "a.zip"))
    assert not (tmp_path / "a.zip").exists()


def test_every_wheel_of_the_lock_has_its_hash() -> None:
    def versions(path: str, end: str) -> set[str]:
        lines = re.findall(rf"^([\w.-]+)==(\S+){end}", (ROOT / path).read_text(), re.MULTILINE)
        return {re.sub(r"[._]", "-", name).lower() + version for name, version in lines}

    hashed = versions("requirements.lock", r" \\\n    --hash=sha256:[0-9a-f]{64}")
    assert hashed == versions("stages/requirements.lock", "$")
