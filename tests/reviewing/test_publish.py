"""What publish writes, and what it refuses."""

import json
import subprocess
from pathlib import Path

import pytest
from dvc.repo import Repo
from published_project import Published, clone, commit, git

from stages.reviewing import objects, records, verify
from stages.reviewing.publish import publish
from stages.reviewing.pull import pull


def test_the_record_names_the_commit_before_it(published: Published) -> None:
    record = json.loads((published.project / records.PROVENANCE).read_text())
    command = ["git", "-C", str(published.project), "rev-parse", "v1.0.0^{commit}~1"]
    assert record["commit"] == subprocess.run(command, capture_output=True, text=True).stdout.strip()
    assert len(record["wall_s"]) == 8 and "python make.py data/tasks/grid/one.csv" in record["wall_s"]


def test_what_lies_in_the_cache_alone_has_its_sum_too(pulled: Path) -> None:
    sums = (pulled / records.SUMS).read_bytes()
    (pulled / "data/studies/ran/one.csv").unlink()  # as of a study that ran in another clone
    publish(pulled, "published")
    after = (pulled / records.SUMS).read_bytes()
    assert b"data/studies/ran/one.csv" in after and len(after.splitlines()) == len(sums.splitlines())


def test_again_it_writes_the_same(published: Published) -> None:
    publish(published.project, str(published.remote))  # other tests may have changed this process's threads
    git(published.project, "commit", "--all", "--allow-empty", "--message", "Published")
    publish(published.project, str(published.remote))
    git(published.project, "diff", "--exit-code")


def test_sums_are_those_of_sha256sum(published: Published) -> None:
    subprocess.run(["sha256sum", "-c", "--strict", records.SUMS], check=True, cwd=published.project)
    locks = {"dvc.lock", "studies/ran/dvc.lock", "stages/tasks/grid/dvc.lock"}
    results = {"data/tables/of/c.npy", "reports/runs.csv", records.PROVENANCE}
    assert locks | results <= records.read_sums(published.project / records.SUMS).keys()


RAN, *LATER = ("studies/ran/dvc.yaml:vary", *(f"studies/later/dvc.yaml:{name}" for name in ("vary", "score")))


@pytest.fixture
def pulled(checkout: Path) -> Path:
    pull(checkout)
    return checkout


@pytest.mark.parametrize(
    ("path", "committed", "complaint"),
    [
        ("notes.txt", False, "notes.txt is not committed"),
        ("make.py", False, "make.py is not committed"),
        ("make.py", True, "dvc.lock is not up to date"),
        ("data/tables/a.npy", True, "dvc.lock is not up to date"),  # git does not see it
    ],
)
def test_a_change_that_is_refused(pulled: Path, path: str, committed: bool, complaint: str) -> None:
    with (pulled / path).open("a") as file:
        file.write("# changed\n")
    if committed:
        git(pulled, "add", ".")
        git(pulled, "commit", "-qm", "Changed", "--allow-empty")
    with pytest.raises(ValueError, match=complaint):
        publish(pulled, "published")


def test_a_stage_of_a_pipeline_apart_that_never_ran_is_left_out_and_named(
    pulled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    further = "  more:\n    wdir: ../..\n    cmd: python make.py data/more.csv\n    outs: [data/more.csv]\n"
    with (pulled / "studies/ran/dvc.yaml").open("a") as file:
        file.write(further)
    git(pulled, "commit", "-aqm", "One more")
    publish(pulled, str(tmp_path / "elsewhere"))
    said = capsys.readouterr().out
    assert "of studies/ran/dvc.yaml, as it did not run here: 1 of its stages" in said
    record = json.loads((pulled / records.PROVENANCE).read_text())
    assert record["left_out"].keys() == {*LATER, "studies/ran/dvc.yaml:more"}
    assert "data/more.csv" not in records.read_sums(pulled / records.SUMS)


def test_who_ran_less_publishes_that(checkout: Path, tmp_path: Path) -> None:
    with Repo(str(checkout)) as repo:
        repo.pull([str(checkout / "dvc.yaml"), str(checkout / "stages/tasks/grid/dvc.yaml")])
    remote = tmp_path / "elsewhere"
    publish(checkout, str(remote))
    commit(checkout)
    record = json.loads((checkout / records.PROVENANCE).read_text())
    assert record["left_out"].keys() == {RAN, *LATER} and record["left_out"][RAN] == [
        "data/studies/ran/one.csv"
    ]
    assert "data/scores/studies/ran/one.csv" in records.read_sums(checkout / records.SUMS)  # git has it
    further = clone(Published(checkout, remote), tmp_path / "further")
    pull(further)
    for folder in (checkout, further):
        assert not verify.check(folder) and not (folder / "data/studies/ran/one.csv").exists()
    outputs = objects.read_outputs(further)
    assert len(outputs) == 5 and not objects.check_objects(remote, outputs)


def test_what_git_holds_of_a_study_that_is_left_out_has_a_sum(
    pulled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores, own = "data/scores/later/one.csv", "data/studies/later/one.csv"
    (pulled / scores).parent.mkdir(parents=True, exist_ok=True)
    (pulled / scores).write_text("later\n1.0\n2.5\n")
    commit(pulled)
    publish(pulled, str(tmp_path / "elsewhere"))
    assert f"{LATER[1].partition(':')[0]}" in capsys.readouterr().out  # left out
    assert not verify.check(pulled) and scores in records.read_sums(pulled / records.SUMS)
    (pulled / scores).write_text("later\n1.0\n2.6\n")
    (fault,) = verify.check(pulled)
    assert (fault.path, fault.kind) == (scores, "altered")
    (pulled / own).parent.mkdir(parents=True, exist_ok=True)
    (pulled / own).touch()  # dvc's, of a stage that ran here since
    assert verify.list_unsummed(pulled) == [own] and verify.check(pulled) == [fault]


def damage_listing(folder: Path) -> None:
    path = next((folder / "files/md5").rglob("*.dir"))
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1] + b" ]")
    path.chmod(0o444)


def test_what_is_damaged_is_neither_sent_nor_taken_for_published(pulled: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    publish(pulled, str(elsewhere))
    damage_listing(elsewhere)
    with pytest.raises(ValueError, match=r"folder listing \w+\.dir was altered"):
        publish(pulled, str(elsewhere))
    damage_listing(pulled / ".dvc/cache")
    with pytest.raises(ValueError, match=r"altered: files/md5/.*\.dir \(holds data/"):
        publish(pulled, "published")


def test_what_a_killed_pull_left_in_the_cache_is_no_fault(pulled: Path) -> None:
    (pulled / ".dvc/cache/files/md5/ab").mkdir(exist_ok=True)
    (pulled / ".dvc/cache/files/md5/ab/.cut.tmp").write_bytes(b"cut")
    publish(pulled, "published")


def test_an_unknown_remote(pulled: Path) -> None:
    with pytest.raises(ValueError, match="'pulbished' doesn't exist"):
        publish(pulled, "pulbished")


def test_outside_git(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a git checkout"):
        publish(tmp_path, "published")
