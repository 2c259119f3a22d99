"""Publish writes what dvc keeps, and refuses what others could not use."""

import shutil
import subprocess
from pathlib import Path

import pytest
from published_project import Published, git

from stages.core.settings.errors import InputError
from stages.reviewing.publish import publish
from stages.reviewing.pull import pull
from stages.reviewing.sums import SUMS, read_sums


@pytest.fixture
def ran(published: Published, tmp_path: Path) -> Path:
    """Return a copy of the project with its cache and all outputs."""
    return Path(shutil.copytree(published.project, tmp_path / "copy"))


def test_sums_are_those_of_sha256sum_of_all_that_is_published_or_read(published: Published) -> None:
    subprocess.run(["sha256sum", "-c", "--strict", SUMS], check=True, cwd=published.project)
    reports = {"reports/maps.npz", *(f"reports/studies/sigma/{name}.csv" for name in ("made_by", "scores"))}
    reports.add("reports/studies/sigma/declared.csv")
    reports |= {f"reports/studies/sigma/{name}.csv" for name in ("differences", "verdicts")}
    declared = {"dvc.lock", "dvc.yaml", "params.yaml", "studies/published.yaml", "studies/sigma.yaml"}
    cells = {f"data/studies/sigma/cells/{name}" for name in ("grid-learned/weights.safetensors",)}
    cells |= {"data/studies/sigma/cells/recordings-learned/key.json", "data/scores/sigma/grid-learned.csv"}
    data = {"data/tasks/grid/a.npz", "data/tasks/grid/more/b.npz"}
    assert read_sums(published.project).keys() == reports | declared | cells | data


def test_what_was_fetched_is_never_sent(
    ran: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(ran, str(tmp_path / "remote"), "yes")
    sent = {path.read_bytes() for path in (tmp_path / "remote").rglob("*") if path.is_file()}
    for name in ("raw/recordings", "read/recordings", "tasks/recordings"):
        assert (ran / f"data/{name}/a.bin").read_bytes() not in sent
        assert f"data/{name}" in capsys.readouterr().out or name != "raw/recordings"
    assert (ran / "data/tasks/grid/a.npz").read_bytes() in sent


def test_again_it_writes_the_same(published: Published) -> None:
    publish(published.project, str(published.remote))
    git(published.project, "diff", "--exit-code")


@pytest.mark.parametrize(
    ("path", "committed", "complaint"),
    [
        ("notes.txt", False, "notes.txt is not committed"),
        ("make.py", False, "make.py is not committed"),
        (
            "make.py",
            True,
            "train@sigma, one of 2 stages, is not as dvc.lock says; run `dvc repro .*train@sigma`",
        ),
        ("data/tasks/grid/a.npz", True, "grid, one of .* not as dvc.lock says"),  # git does not see it
    ],
)
def test_a_change_that_is_refused(ran: Path, path: str, committed: bool, complaint: str) -> None:
    with (ran / path).open("a") as file:
        file.write("# changed\n")
    if committed:
        git(ran, "add", ".")
        git(ran, "commit", "-qm", "Changed", "--allow-empty")
    before = (ran / SUMS).read_bytes()
    with pytest.raises(InputError, match=complaint):
        publish(ran, "published")
    assert (ran / SUMS).read_bytes() == before


def test_a_clone_that_has_not_run_what_is_not_published_is_refused(checkout: Path) -> None:
    pull(checkout)
    with pytest.raises(InputError, match="fetch, one of . stages, is not as dvc.lock says"):
        publish(checkout, "published")


def damage(folder: Path, pattern: str) -> str:
    """Damage the first file of a pattern, and return which it was."""
    path = next(path for path in sorted((folder / "files/md5").glob(pattern)))
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1] + b" ]")
    path.chmod(0o444)  # dvc trusts what is
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("pattern", ["*/*.dir", "*/??????????????????????????????"])
def test_what_is_damaged_is_neither_sent_nor_taken_for_published(
    ran: Path, tmp_path: Path, pattern: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    publish(ran, str(elsewhere))
    sent = damage(elsewhere, pattern)
    with pytest.raises(InputError, match="was altered|altered: .*elsewhere/files/md5/"):
        publish(ran, str(elsewhere))
    damage(ran / ".dvc/cache", sent)
    with pytest.raises(InputError, match="altered: .*copy/.dvc/cache|not as dvc.lock says"):
        publish(ran, str(tmp_path / "further"))


def test_an_unknown_remote(ran: Path) -> None:
    with pytest.raises(InputError, match="'pulbished' doesn't exist"):
        publish(ran, "pulbished")


def test_outside_git(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a git checkout"):
        publish(tmp_path, "published")
