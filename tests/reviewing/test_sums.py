"""Sums as lines of text, and what they say of files."""

import shutil
from pathlib import Path

import pytest
from published_project import git

from stages.core.settings.errors import InputError
from stages.reviewing.sums import SUMS, Fault, find_faults, format_sums, read_sums

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # SHA-256 of nothing, FIPS 180-4
GOOD = {"data/tasks/a": EMPTY, "reports/b c.csv": EMPTY}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make a commit with two empty files and their sums."""
    root = tmp_path / "project"
    for name in GOOD:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    (root / SUMS).write_bytes(format_sums(GOOD))
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "Results")
    return root


def test_sums_are_read_as_they_were_written(project: Path) -> None:
    assert read_sums(project) == GOOD and find_faults(project) == []


@pytest.mark.parametrize(
    "line", ["0" * 63 + "  a", "0" * 64 + " *a", "0" * 64 + "  data/tasks/a", "", "\u00e9"]
)
def test_a_line_that_is_no_sum(project: Path, line: str) -> None:
    (project / SUMS).write_bytes(format_sums(GOOD) + f"{line}\n".encode("latin-1"))
    with pytest.raises(InputError, match=f"{SUMS}.*(line 3.*expected a new|was altered)"):
        read_sums(project)


def test_where_nothing_was_published(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{SUMS} not found; .*make publish"):
        find_faults(tmp_path)


def test_altered_and_missing_files_of_all_or_of_some(project: Path) -> None:
    (project / "data/tasks/a").write_text("x")
    (project / "reports/b c.csv").unlink()
    altered, missing = Fault("data/tasks/a", "altered"), Fault("reports/b c.csv", "missing")
    assert find_faults(project) == [altered, missing]
    assert find_faults(project, ["data", "data/tasks/a"]) == [altered]
    with pytest.raises(InputError, match="data/task: nothing of that name was published"):
        find_faults(project, ["data/task"])


def test_what_was_committed_later_is_no_fault_as_git_vouches_for_it(project: Path) -> None:
    (project / "reports/b c.csv").write_text("later")
    git(project, "commit", "-qam", "Later")
    assert find_faults(project) == []
    (project / "reports/b c.csv").write_text("latest")
    assert find_faults(project) == [Fault("reports/b c.csv", "altered")]
    shutil.rmtree(project / ".git")
    (project / "reports/b c.csv").write_text("later")
    assert find_faults(project) == [Fault("reports/b c.csv", "altered")]
