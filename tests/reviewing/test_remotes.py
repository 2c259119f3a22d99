"""Published by one, pulled and verified by another: over every kind of remote, in a clone and a zip."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
import servers
from dvc.repo import Repo
from dvc.repo.artifacts import Artifacts
from published_project import ROOT, Published, clone, git, pull_from

from stages.reviewing import lock, store
from stages.reviewing.publish import publish
from stages.reviewing.pull import pull


def verify(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`python3 -m stages.reviewing.verify` as where nothing is installed."""
    for folder in ("files", "reviewing"):
        shutil.copytree(ROOT / "stages" / folder, checkout / "stages" / folder, dirs_exist_ok=True)
    command = [sys.executable, "-S", "-E", "-m", "stages.reviewing.verify", *arguments]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True)


def assert_pulled_and_verified(checkout: Path) -> None:
    pull(checkout)
    found = verify(checkout)
    assert (found.returncode, found.stdout) == (0, "")


def test_from_a_folder(published: Published, tmp_path: Path) -> None:
    checkout = clone(published, tmp_path / "clone")
    assert_pulled_and_verified(checkout)
    assert verify(checkout, "--remote", str(published.remote)).returncode == 0
    (checkout / "data/numbers.bin").write_bytes(b"")
    found = verify(checkout, "--remote", str(tmp_path / "typo"))
    assert found.returncode == 1
    assert found.stdout.startswith("truncated: data/numbers.bin (0 of 2000 bytes)\nmissing: files/md5/")


def test_one_artifact_alone(published: Published, tmp_path: Path) -> None:
    checkout = clone(published, tmp_path / "clone")
    with Repo(str(checkout)) as repo:
        repo.pull([str(checkout / "data/models/grid/focus")])
    assert verify(checkout, "./data/models/grid/focus/").returncode == 0
    assert verify(checkout, "data/models/grid/typo").returncode == 1
    assert verify(checkout).returncode == 1  # the rest is not there
    remote = {"url": str(published.remote)}
    url, out = str(published.project), str(tmp_path / "got")
    Repo.get(url, "data/numbers.bin", out=out, rev="v1.0.0", remote="published", remote_config=remote)
    assert Path(out).read_bytes() == (published.project / "data/numbers.bin").read_bytes()
    Artifacts.get(
        url, "grid-focus", version="v1.0.0", out=f"{out}2", remote="published", remote_config=remote
    )
    assert len(list(Path(f"{out}2").iterdir())) == 2


def test_from_a_zip_without_git(published: Published, tmp_path: Path) -> None:
    git(published.project, "archive", "-o", str(tmp_path / "all.zip"), "v1.0.0")
    checkout = tmp_path / "unpacked"
    shutil.unpack_archive(tmp_path / "all.zip", checkout)
    pull_from(checkout, str(published.remote))
    with (checkout / ".dvc/config.local").open("a") as file:
        file.write("[core]\n    no_scm = true\n")
    assert_pulled_and_verified(checkout)


@pytest.mark.parametrize("server", [servers.python_http, servers.nginx])
def test_over_http_read_only(
    published: Published, tmp_path: Path, server: Callable[[Path, Path], AbstractContextManager[str]]
) -> None:
    checkout = clone(published, tmp_path / "clone")
    with server(published.remote, tmp_path) as url:
        pull_from(checkout, url)
        assert_pulled_and_verified(checkout)
        with pytest.raises(ValueError, match="mend that"):
            publish(published.project, f"{url}/elsewhere")


def test_over_ssh(published: Published, tmp_path: Path) -> None:
    with servers.sshd(tmp_path) as (url, options):
        publish_and_pull(published, tmp_path, f"{url}{tmp_path}/remote", options)
    assert not store.check(tmp_path / "remote", lock.read_all_outputs(published.project))


def test_over_s3(published: Published, tmp_path: Path) -> None:
    with servers.s3(tmp_path) as (url, options):
        publish_and_pull(published, tmp_path, f"{url}/remote", options)


def publish_and_pull(published: Published, folder: Path, url: str, options: dict[str, str]) -> None:
    pull_from(published.project, url, **options)
    try:
        assert publish(published.project, "published") > 0
    finally:
        (published.project / ".dvc/config.local").unlink()
    checkout = clone(published, folder / "clone")
    pull_from(checkout, url, **options)
    assert_pulled_and_verified(checkout)
