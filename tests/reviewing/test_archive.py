"""One archive of the tiny project: what it holds, and that a reviewer needs nothing else."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from published_project import ROOT, Published, git, pull_from

from stages.reviewing import objects, records, verify
from stages.reviewing.archive import BUNDLE, SUMS, write_archive
from stages.reviewing.pull import pull


@pytest.fixture(scope="module")
def unpacked(published: Published, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    write_archive(published.project, folder / "all.zip")
    shutil.unpack_archive(folder / "all.zip", folder / "unpacked")
    return folder / "unpacked"


def test_its_sums_are_those_of_sha256sum_and_name_every_file(unpacked: Path) -> None:
    subprocess.run(["sha256sum", "-c", "--strict", "--quiet", SUMS], check=True, cwd=unpacked)
    summed = records.read_sums(unpacked / SUMS).keys()
    assert {BUNDLE, "dvc.yaml", "reports/runs.csv"} <= summed
    files = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert files == summed | {SUMS}


def test_a_clone_of_its_bundle_pulls_from_it(unpacked: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(unpacked / BUNDLE), "clone")
    pull_from(tmp_path / "clone", str(unpacked))
    assert pull(tmp_path / "clone") >= 10
    cache = tmp_path / "clone/.dvc/cache"
    assert not objects.check_objects(cache, objects.read_outputs(tmp_path / "clone"))
    assert not verify.check(tmp_path / "clone")


def test_what_is_not_published_is_not_archived(published: Published, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(published.project, tmp_path / "copy"))
    (copy / "reports/runs.csv").write_text("other")
    git(copy, "commit", "-aqm", "Other results")
    with pytest.raises(ValueError, match="altered: reports/runs.csv"):
        write_archive(copy, tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()


def test_every_wheel_of_the_lock_has_its_hash() -> None:
    def versions(path: str, end: str) -> set[str]:
        lines = re.findall(rf"^([\w.-]+)==(\S+){end}", (ROOT / path).read_text(), re.MULTILINE)
        return {re.sub(r"[._]", "-", name).lower() + version for name, version in lines}

    hashed = versions("requirements.lock", r" \\\n    --hash=sha256:[0-9a-f]{64}")
    assert hashed == versions("stages/requirements.lock", "$")
