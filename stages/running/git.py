"""Ask git about the project."""

import os
import subprocess
from pathlib import Path

from stages.core.settings.errors import InputError

NO_CHECKOUT = "not a git repository (or any"  # of the parents: what git says in English


def describe_commit(root: Path) -> str:
    """Name the commit that is checked out, with + where files differ from it; "" without git."""
    commit = (ask_git(root, "rev-parse", "--short=12", "HEAD") or "").strip()
    edited = commit and ask_git(root, "status", "--porcelain", "--untracked-files=no", "--", "stages")
    return f"{commit}+" if edited else commit


def ask_git(root: Path, *arguments: str) -> str | None:
    """Return what git prints; None where it is not installed, or `root` is an unpacked zip.

    InputError where git fails otherwise, in its own words.
    """
    try:
        command = ["git", "-C", str(root), *arguments]
        done = subprocess.run(command, capture_output=True, env=os.environ | {"LC_ALL": "C"})
    except FileNotFoundError:
        return None
    fault = os.fsdecode(done.stderr).strip()
    if done.returncode and NO_CHECKOUT not in fault:
        raise InputError(
            f"git {arguments[0]}: {fault.removeprefix('fatal: ') or f'status {done.returncode}'}"
        )
    return None if done.returncode else os.fsdecode(done.stdout)  # names of files


def list_tracked(root: Path, *arguments: str) -> list[str]:
    """List what `git ls-files` lists; nothing without git."""
    return [name for name in (ask_git(root, "ls-files", "-z", *arguments) or "").split("\0") if name]


def refuse_absent(root: Path, *paths: str) -> None:
    """Raise InputError unless all files that git tracks of these are here, unlike in a sparse checkout."""
    if absent := [name for name in list_tracked(root, *paths) if not (root / name).exists()]:
        told = f"{absent[0]}, one of {len(absent)}, is in git and not here"
        raise InputError(
            f"{told}; `git sparse-checkout disable`, or `git restore {absent[0]}`, brings it back"
        )
