"""`make pull` and `make verify`: from a folder and a web server, in a clone and in a zip."""

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import attempt
from published_project import ROOT, Published, git, pull_from

from stages.core.settings.errors import InputError
from stages.reviewing.publish import publish
from stages.reviewing.pull import pull
from stages.reviewing.sums import find_faults

GRID = "data/tasks/grid"


def verify(checkout: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run `python3 -I stages/reviewing verify` as where nothing is installed."""
    (checkout / "stages").mkdir(exist_ok=True)
    shutil.copy(ROOT / "stages/__init__.py", checkout / "stages")
    for folder in ("core", "parameters", "files", "running", "reviewing"):
        shutil.copytree(ROOT / "stages" / folder, checkout / "stages" / folder, dirs_exist_ok=True)
    return attempt(checkout, "python", "-S", "-I", "stages/reviewing", "verify", *arguments)


def test_without_a_remote_one_line_says_where_and_how_to_set_it(checkout: Path) -> None:
    (checkout / ".dvc/config.local").unlink()
    done = attempt(checkout, "python", "-I", str(ROOT / "stages/reviewing"), "pull")
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert f"there is no folder {checkout.parent}/published, " in done.stderr
    for cure in ("dvc remote modify --local published url URL", "make claims", "make replay"):
        assert f"`{cure}`" in done.stderr


def test_from_a_folder(checkout: Path) -> None:
    before = verify(checkout)
    assert (before.returncode, before.stdout) == (0, ""), before.stderr
    assert "not here: 5 published files, first data/scores/" in before.stderr
    pull(checkout)
    after = verify(checkout)
    assert (after.returncode, after.stdout) == (0, "") and "not here" not in after.stderr
    assert verify(checkout, f"./{GRID}/").returncode == 0
    (checkout / f"{GRID}/a.npz").write_bytes(b"")
    assert verify(checkout).stdout == f"altered: {GRID}/a.npz\n"
    (checkout / f"{GRID}/a.npz").unlink()
    assert verify(checkout).returncode == 0 and verify(checkout, GRID).returncode == 1
    assert "data/typo: nothing of that name was published" in verify(checkout, "data/typo").stderr


def test_many_faults_are_cut(checkout: Path) -> None:
    sums = checkout / "reports/SHA256SUMS"
    sums.write_text("".join(f"{number:064}  reports/{number}\n" for number in range(29)))
    said = verify(checkout)
    assert said.stdout.splitlines()[20:] == ["and 9 more"] and said.stderr == "29 faults\n"


@pytest.mark.parametrize(
    ("asked", "came"),
    [
        ([f"{GRID}/more"], {f"{GRID}/more/b.npz"}),
        (["data/scores", f"{GRID}/a.npz"], {"data/scores/sigma/grid-learned.csv", f"{GRID}/a.npz"}),
    ],
)
def test_some_of_it_alone(checkout: Path, asked: list[str], came: set[str]) -> None:
    pull(checkout, *asked)
    found = {path.relative_to(checkout).as_posix() for path in (checkout / "data").glob("*/*/**/[!.]*")}
    assert {path for path in found if (checkout / path).is_file()} == came
    with pytest.raises(InputError, match="nothing was published of data/raw"):
        pull(checkout, "data/raw")  # withheld


def test_from_a_zip_without_git(published: Published, tmp_path: Path) -> None:
    git(published.project, "archive", "-o", str(tmp_path / "all.zip"), "v1.0.0")
    checkout = tmp_path / "unpacked"
    shutil.unpack_archive(tmp_path / "all.zip", checkout)
    pull_from(checkout, str(published.remote))
    with (checkout / ".dvc/config.local").open("a") as file:
        file.write("[core]\n    no_scm = true\n")
    pull(checkout)
    assert find_faults(checkout) == []


def test_over_http_read_only(published: Published, checkout: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "http.server", port, "--bind", "127.0.0.1", "-d", str(published.remote)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(600):
                with socket.socket() as client:
                    if not client.connect_ex(("127.0.0.1", int(port))):
                        break
                time.sleep(0.05)
            pull_from(checkout, f"http://127.0.0.1:{port}")
            pull(checkout)
            assert find_faults(checkout) == []
            with pytest.raises(InputError, match="correct that"):
                publish(published.project, f"http://127.0.0.1:{port}/elsewhere")
        finally:
            server.terminate()
