"""Remotes that mean harm: nothing is written outside the outputs, and nothing planted is run."""

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from dvc.repo import Repo
from published_project import ROOT, Published, clone, git, pull_from

from stages.reviewing import pull as pulling
from stages.reviewing.objects import list_outputs
from stages.reviewing.pull import pull
from stages.running.cache import place
from stages.running.listings import hold_listings
from stages.running.repository import open_repo

GRID = "data/tasks/grid"
OUTSIDE = (
    "../../../planted.py",
    "../../../../outside.txt",
    "sub/../../../../planted.py",
    "{folder}/absolute.txt",
)


def write_object(remote: Path, content: bytes, kind: str = "") -> str:
    """Put an object into a remote; its name."""
    md5 = hashlib.md5(content).hexdigest() + kind
    path = remote / place(md5)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return md5


class Hostile:
    """A fresh clone and its remote, which somebody else may write to."""

    def __init__(self, published: Published, folder: Path) -> None:
        self.remote = Path(shutil.copytree(published.remote, folder / "remote"))
        self.checkout = clone(Published(published.project, self.remote), folder / "clone")
        self.folder = folder
        with open_repo(self.checkout) as repo:
            self.name = list_outputs(repo)[GRID]
        self.path = self.remote / place(self.name)
        self.entries = json.loads(self.path.read_bytes())

    def add(self, relpath: str) -> bytes:
        """Let the listing name one more file; its bytes then."""
        md5 = write_object(self.remote, b"print('planted')\n")
        content = json.dumps([*self.entries, {"md5": md5, "relpath": relpath}]).encode()
        self.path.chmod(0o644)
        self.path.write_bytes(content)
        return content

    def files(self) -> set[str]:
        """List all files under the folder but what git and dvc keep."""
        found = (path.relative_to(self.folder) for path in self.folder.rglob("*") if not path.is_dir())
        return {path.as_posix() for path in found if not {".git", ".dvc"} & set(path.parts)}


@pytest.fixture
def hostile(published: Published, tmp_path: Path) -> Hostile:
    return Hostile(published, tmp_path)


@pytest.mark.parametrize("relpath", [*OUTSIDE, "..\\..\\..\\planted.py", "C:\\planted.py", "more.csv"])
def test_an_altered_listing_writes_nothing(hostile: Hostile, relpath: str) -> None:
    hostile.add(relpath.format(folder=hostile.folder))
    before = hostile.files()
    with pytest.raises(ValueError, match=f"folder listing {hostile.name} was altered"):
        pull(hostile.checkout)
    assert hostile.files() == before


@pytest.mark.parametrize("relpath", OUTSIDE[:2])
def test_nor_does_one_whose_md5_a_lock_names(hostile: Hostile, relpath: str) -> None:
    name = write_object(hostile.remote, hostile.add(relpath), ".dir")
    lock = hostile.checkout / "dvc.lock"
    lock.write_text(lock.read_text().replace(hostile.name, name))
    before = hostile.files()
    with pytest.raises(ValueError, match=f"folder listing {name} holds '../../.*expected new paths inside"):
        pull(hostile.checkout)
    assert hostile.files() == before


def test_nor_one_that_lies_in_the_cache(hostile: Hostile) -> None:
    path = hostile.checkout / ".dvc/cache" / place(hostile.name)
    path.parent.mkdir(parents=True)
    path.write_bytes(hostile.add(OUTSIDE[0]))
    path.chmod(0o444)  # dvc trusts what is
    before = hostile.files()
    with pytest.raises(ValueError, match="was altered"):
        pull(hostile.checkout)
    assert hostile.files() == before


def test_a_wrong_object_of_a_right_listing_is_put_nowhere(hostile: Hostile) -> None:
    (md5,) = [entry["md5"] for entry in hostile.entries if entry["relpath"] == "a.npz"]
    path = hostile.remote / place(md5)
    path.chmod(0o644)
    path.write_bytes(b"wrong")
    pull_from(hostile.checkout, str(hostile.remote), verify="false")  # then dvc itself would take it
    with pytest.raises(ValueError, match=f"missing: {GRID}/a.npz"):
        pull(hostile.checkout)
    assert not (hostile.checkout / GRID / "a.npz").exists()


@pytest.mark.parametrize("link", [GRID, "data/tasks", f"{GRID}/more", "data"])
def test_a_link_on_the_way_is_not_followed(hostile: Hostile, link: str) -> None:
    elsewhere = hostile.folder / "elsewhere"
    elsewhere.mkdir()
    path = hostile.checkout / link
    shutil.rmtree(path, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(elsewhere)
    with pytest.raises(ValueError, match=f"{link} is a link to {elsewhere}, expected a folder"):
        pull(hostile.checkout)
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize("there", [True, False])
def test_a_link_in_place_of_a_file_is_not_written_through(hostile: Hostile, there: bool) -> None:
    target = hostile.folder / "mine.txt"
    if there:
        target.write_text("mine")
    path = hostile.checkout / GRID / "a.npz"
    path.parent.mkdir(parents=True)
    path.symlink_to(target)
    try:
        pull(hostile.checkout)
    except ValueError as error:
        assert there and "unsaved files" in str(error)
    assert target.read_text() == "mine" if there else not target.exists()


def test_one_output_is_pulled_alone(hostile: Hostile) -> None:
    hostile.add("more.csv")
    pull(hostile.checkout, "data/scores")
    assert not (hostile.checkout / GRID).exists() and (hostile.checkout / "data/scores/sigma").is_dir()
    with pytest.raises(ValueError, match="was altered"):
        pull(hostile.checkout, f"{GRID}/a.npz")
    with pytest.raises(ValueError, match="nothing was published of data/typo"):
        pull(hostile.checkout, "data/typo")


def test_dvc_get_in_a_process_that_holds_listings(hostile: Hostile) -> None:
    """dvc's own command does not: its remote has to be trusted, as the README says."""
    hostile.add("more.csv")
    git(hostile.folder, "clone", "-q", "--bare", str(hostile.checkout), "bare")
    where = {"remote": "published", "remote_config": {"url": str(hostile.remote)}}
    hold_listings()
    with pytest.raises(Exception, match="failed to load directory") as error:
        Repo.get(f"file://{hostile.folder}/bare", GRID, out=str(hostile.folder / "got"), **where)
    assert "was altered" in str(error.value.__cause__)


@pytest.fixture
def silent() -> Iterator[str]:
    """Yield the URL of a server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_silent_server_is_told_in_time(
    checkout: Path, silent: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pulling, "PATIENCE_S", 0.3)
    pull_from(checkout, silent)
    start = monotonic()
    with pytest.raises(ValueError, match=f"{silent}: no answer within 0.3 s"):
        pull(checkout)
    assert monotonic() - start < 10 and capsys.readouterr().out == f"fetching from {silent}\n"


def test_a_pull_is_stopped_by_ctrl_c_in_one_line(checkout: Path, silent: str) -> None:
    pull_from(checkout, silent)
    shutil.copytree(ROOT / "stages", checkout / "stages", dirs_exist_ok=True)
    command = [sys.executable, "-I", "stages/reviewing", "pull"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=checkout, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout and process.stdout.readline() == f"fetching from {silent}\n"
        os.kill(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130 and said == "stopped; run the same command again to continue\n"
