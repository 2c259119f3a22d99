"""Git describes, lists and refuses."""

import subprocess
from pathlib import Path

import pytest

from stages.core.settings.errors import InputError
from stages.running.git import ask_git, describe_commit, list_tracked, refuse_absent


def test_a_commit_is_named_with_a_mark_where_the_code_was_edited(tmp_path: Path) -> None:
    assert describe_commit(tmp_path) == ""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    (tmp_path / "stages").mkdir()
    (tmp_path / "stages/a.py").touch()
    for command in (("init", "--quiet"), ("add", "."), (*who, "commit", "--quiet", "--message", "First")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    commit = (ask_git(tmp_path, "rev-parse", "HEAD") or "")[:12]
    assert describe_commit(tmp_path) == commit and len(commit) == 12
    (tmp_path / "README.md").touch()
    assert describe_commit(tmp_path) == commit
    (tmp_path / "stages/a.py").write_text("x = 1")
    assert describe_commit(tmp_path) == f"{commit}+"


def test_files_of_another_user_are_an_error_with_gits_own_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert ask_git(tmp_path, "ls-files") == ""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")  # git's own switch for its tests
    with pytest.raises(InputError, match=f"git config --global --add safe.directory {tmp_path}"):
        ask_git(tmp_path, "ls-files")


def test_without_git_it_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert ask_git(tmp_path, "ls-files") is None and list_tracked(tmp_path) == []
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ask_git(tmp_path, "ls-files") is None


def test_where_git_fails_it_is_an_error_in_its_own_words(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    with pytest.raises(InputError, match="git log: .*does not have any commits yet"):
        ask_git(tmp_path, "log")
    (tmp_path / ".git/index").write_bytes(b"damaged")
    with pytest.raises(InputError, match="git ls-files: .*index"):
        list_tracked(tmp_path)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/.git").write_text(f"gitdir: {tmp_path}/gone\n")
    with pytest.raises(InputError, match="git ls-files: not a git repository"):
        list_tracked(tmp_path / "linked")


def test_what_git_tracks_and_is_not_here(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "a").touch()
    ask_git(tmp_path, "add", "a")
    refuse_absent(tmp_path)
    (tmp_path / "a").unlink()
    with pytest.raises(
        InputError, match="^a, one of 1, is in git and not here; `git sparse-checkout disable`"
    ):
        refuse_absent(tmp_path)
    refuse_absent(tmp_path, "b")
