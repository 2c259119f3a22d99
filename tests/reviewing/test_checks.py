"""A check is run alone: nothing beside it is imported, and a mistake is one line."""

import shutil
import sys
from pathlib import Path

import pytest
from commands import attempt
from published_project import ROOT


@pytest.mark.parametrize("check", ["verify", "claims", "pull"])
def test_what_lies_in_the_root_is_not_imported(check: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "stages", tmp_path / "stages", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("argparse", "yaml", "h5py", "subprocess", "sitecustomize", "torch", "stages"):
        (tmp_path / f"{name}.py").write_text("open('planted', 'w').close()\n")
    done = attempt(tmp_path, sys.executable, "-I", "stages/reviewing", check)
    assert done.returncode == 1 and "Traceback" not in done.stderr and not (tmp_path / "planted").exists()


@pytest.mark.parametrize("words", [[], ["verfy"], ["sums"]])
def test_a_check_that_is_none(words: list[str]) -> None:
    done = attempt(ROOT, sys.executable, "-I", "stages/reviewing", *words)
    assert done.returncode == 1 and "expected one of verify, claims, pull" in done.stderr


def test_a_check_with_too_many_words() -> None:
    done = attempt(ROOT, sys.executable, "-I", "stages/reviewing", "claims", "sigma")
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "error: claims: too many" in done.stderr
