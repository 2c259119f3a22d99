"""One archive of the tiny project: what it holds, and that a reviewer needs nothing else."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from published_project import ROOT, Published, git, pull_from

from stages.reviewing import objects, records, verify
from stages.reviewing.archive import BUNDLE, SUMS, bundle_history, list_small, write_archive
from stages.reviewing.pull import pull
from stages.running.repository import ask_git


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


def test_a_small_one_has_scores_and_tables_alone(tmp_path: Path) -> None:
    """Of a cache with one trained cell, its scores and data."""
    cell = {"weights.safetensors": b"w", "tables.npz": b"t", "predictions.npz": b"p"}
    outputs = {"data/scores/s/a.csv": store(tmp_path, b"score"), "data/tasks/grid": store(tmp_path, b"data")}
    listing = [{"relpath": name, "md5": store(tmp_path, content)} for name, content in cell.items()]
    outputs["data/studies/s/cells/a"] = store(tmp_path, json.dumps(listing).encode(), ".dir")
    chosen = list_small(tmp_path, outputs)
    assert {name: file.read_bytes() for name, file in chosen.items()} == {
        "data/scores/s/a.csv": b"score",
        "data/studies/s/cells/a/tables.npz": b"t",
    }


def store(cache: Path, content: bytes, kind: str = "") -> str:
    """Put an object into a cache of dvc; its md5."""
    md5 = hashlib.md5(content).hexdigest() + kind
    path = cache / "files/md5" / md5[:2] / md5[2:]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return md5


def test_what_is_not_published_is_not_archived(published: Published, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(published.project, tmp_path / "copy"))
    (copy / "reports/runs.csv").write_text("other")
    git(copy, "commit", "-aqm", "Other results")
    with pytest.raises(ValueError, match="altered: reports/runs.csv"):
        write_archive(copy, tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()


def test_history_that_could_not_be_cloned_is_not_archived(published: Published, tmp_path: Path) -> None:
    url = f"file://{published.project}"
    git(tmp_path, "clone", "-q", "--depth", "1", url, "shallow")
    with pytest.raises(ValueError, match="shallow.*`git fetch --unshallow`"):
        bundle_history(tmp_path / "shallow", tmp_path / "shallow.bundle")
    copy = Path(shutil.copytree(published.project, tmp_path / "copy"))
    first = (ask_git(copy, "rev-list", "--max-parents=0", "HEAD") or "").strip()
    (copy / ".git/objects" / first[:2] / first[2:]).unlink()
    with pytest.raises(ValueError, match="git bundle: "):
        write_archive(copy, tmp_path / "a.zip")
    shutil.rmtree(copy / ".git")
    with pytest.raises(ValueError, match="not a git checkout"):
        write_archive(copy, tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()


def test_every_wheel_of_the_lock_has_its_hash() -> None:
    def versions(path: str, end: str) -> set[str]:
        lines = re.findall(rf"^([\w.-]+)==(\S+){end}", (ROOT / path).read_text(), re.MULTILINE)
        return {re.sub(r"[._]", "-", name).lower() + version for name, version in lines}

    hashed = versions("requirements.lock", r" \\\n    --hash=sha256:[0-9a-f]{64}")
    assert hashed == versions("stages/requirements.lock", "$")
