"""`make pull` and `make verify`: from a folder and a web server, in a clone and in a zip."""

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import attempt
from dvc.repo import Repo
from dvc.repo.artifacts import Artifacts
from published_project import ROOT, Published, git, pull_from

from stages.reviewing.publish import publish
from stages.reviewing.pull import pull
from stages.reviewing.verify import check


def verify(checkout: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """`python3 -I stages/reviewing verify` as where nothing is installed."""
    shutil.copy(ROOT / "stages/__init__.py", checkout / "stages")
    for folder in ("parameters", "files", "running", "reviewing"):
        shutil.copytree(ROOT / "stages" / folder, checkout / "stages" / folder, dirs_exist_ok=True)
    alone = () if "--remote" in arguments else ("-S",)
    return attempt(checkout, "python", *alone, "-I", "stages/reviewing", "verify", *arguments)


def assert_pulled_and_verified(checkout: Path) -> None:
    pull(checkout)
    done = verify(checkout)
    assert (done.returncode, done.stdout) == (0, "")


def test_without_a_remote_one_line_says_where_and_how_to_set_it(checkout: Path) -> None:
    (checkout / ".dvc/config.local").unlink()
    done = attempt(checkout, "python", "-m", "stages.reviewing.pull", PYTHONPATH=str(ROOT))
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert f"there is no folder {checkout.parent}/published, " in done.stderr
    for cure in ("dvc remote modify --local published url URL", "make claims", "make replay"):
        assert f"`{cure}`" in done.stderr


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "/proc/no/such/folder"])
def test_of_a_wrong_url_too(checkout: Path, url: str) -> None:
    pull_from(checkout, url)
    with pytest.raises(ValueError, match=f"{url}.*say where .*remote modify --local"):
        pull(checkout)


def test_from_a_folder(published: Published, checkout: Path) -> None:
    before = verify(checkout)
    assert (before.returncode, before.stdout) == (0, "")
    assert "not here: 10 published files, first data/" in before.stderr
    assert pull(checkout) >= 10
    after = verify(checkout, "--remote", str(published.remote))
    assert (after.returncode, after.stdout) == (0, "")
    (checkout / "data/numbers.bin").write_bytes(b"")
    (published.remote / "empty").mkdir(exist_ok=True)
    for folder in (checkout / "typo", published.remote / "empty", published.remote / "files"):
        typo = verify(checkout, "--remote", str(folder))
        assert typo.returncode == 1 and not typo.stdout
        assert f"error: {folder} has no folder files/md5, expected a remote or a cache" in typo.stderr
    assert verify(checkout).stdout == "altered: data/numbers.bin (not as its sum)\n"


def test_many_faults_are_cut_and_sums_that_are_none_are_one(checkout: Path) -> None:
    pull(checkout)
    for number in range(29):
        (checkout / f"reports/{number}").touch()
    faults = verify(checkout).stdout.splitlines()
    assert len(faults) == 21 and faults[-1] == "and 9 more"
    sums = checkout / "reports/SHA256SUMS"
    turned = "\n".join(line[::-1] for line in sums.read_text().split("\n")).encode()
    for content in (turned, sums.read_bytes()[:9] + b"\xff" + sums.read_bytes()[10:]):
        sums.write_bytes(content)
        (fault,) = check(checkout)
        assert (fault.path, fault.kind) == ("reports/SHA256SUMS", "altered")


def test_what_was_committed_since_is_no_fault_and_counted(checkout: Path) -> None:
    pull(checkout)
    table = checkout / "reports/runs.csv"
    table.write_text(table.read_text().replace("2", "3"))
    assert verify(checkout).stdout.startswith("altered: reports/runs.csv")
    git(checkout, "commit", "-qam", "later")
    said = verify(checkout)
    assert said.returncode == 0 and "and not published: 1 files, which git holds\n" in said.stderr
    table.unlink()
    assert verify(checkout).stdout == "missing: reports/runs.csv (absent or unreadable)\n"


def test_in_a_shallow_clone_it_says_that_git_cannot_tell(
    checkout: Path, published: Published, tmp_path: Path
) -> None:
    table = checkout / "reports/runs.csv"
    table.write_text(table.read_text().replace("2", "3"))
    git(checkout, "commit", "-qam", "later")
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{checkout}", str(shallow))
    said = verify(shallow)
    assert said.returncode == 1 and said.stdout == "altered: reports/runs.csv (not as its sum)\n"
    assert "of which the sums are: what was committed since counts as altered; in a shallow" in said.stderr


def test_one_artifact_alone(published: Published, checkout: Path, tmp_path: Path) -> None:
    with Repo(str(checkout)) as repo:
        repo.pull([str(checkout / "data/cells/grid")])
    assert verify(checkout, "./data/cells/grid/").returncode == 0
    assert verify(checkout, "data/cells/typo").returncode == 1
    assert verify(checkout).returncode == 0  # the rest is not there
    (checkout / "data/cells/grid/weights.bin").unlink()
    assert verify(checkout, "data/cells/grid").returncode == 1
    where = {"remote": "published", "remote_config": {"url": str(published.remote)}}
    url, out = str(published.project), str(tmp_path / "got")
    Repo.get(url, "data/numbers.bin", out=out, rev="v1.0.0", **where)
    assert Path(out).read_bytes() == (published.project / "data/numbers.bin").read_bytes()
    Artifacts.get(url, "grid-focus", version="v1.0.0", out=f"{out}2", **where)
    assert len(list(Path(f"{out}2").iterdir())) == 2


def test_from_a_zip_without_git(published: Published, tmp_path: Path) -> None:
    git(published.project, "archive", "-o", str(tmp_path / "all.zip"), "v1.0.0")
    checkout = tmp_path / "unpacked"
    shutil.unpack_archive(tmp_path / "all.zip", checkout)
    pull_from(checkout, str(published.remote))
    with (checkout / ".dvc/config.local").open("a") as file:
        file.write("[core]\n    no_scm = true\n")
    assert_pulled_and_verified(checkout)


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
            assert_pulled_and_verified(checkout)
            with pytest.raises(ValueError, match="mend that"):
                publish(published.project, f"http://127.0.0.1:{port}/elsewhere")
        finally:
            server.terminate()
