"""What git refuses."""

import subprocess
from pathlib import Path

import pytest

from stages.parameters.errors import InputError
from stages.running.repository import output_of


def test_files_of_another_user_are_an_error_with_gits_own_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    command = ("git", "-C", str(tmp_path), "ls-files")
    assert output_of(*command) == ""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")  # git's own switch for its tests
    with pytest.raises(InputError, match=f"git config --global --add safe.directory {tmp_path}"):
        output_of(*command)


def test_what_is_not_there_prints_nothing(tmp_path: Path) -> None:
    assert output_of("git", "-C", str(tmp_path), "ls-files") is None
    assert output_of(str(tmp_path / "nothing")) is None
