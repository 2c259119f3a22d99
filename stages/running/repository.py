"""The project as dvc and git see it; what dvc refuses is one line, with the cure where it is known."""

import os
import re
import subprocess
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from dvc.exceptions import DvcException
from dvc.ignore import DvcIgnoreFilter
from dvc.repo import Repo
from dvc.scm import SCMError

from stages.parameters.errors import InputError
from stages.running.listings import hold_listings

CUT_OFF = "a killed dvc leaves such files: `rm -f .dvc/tmp/rwlock; git checkout '*dvc.lock'`"
NO_CHECKOUT = "not a git repository (or any"  # of the parents: what git says in English
NO_GIT = "clone the project, or tell dvc that there is no git: `dvc config --local core.no_scm true`"


EVERY_STUDY = "studies/*"


class Project(Repo):  # type: ignore[misc]  # dvc has no types
    """dvc's repository, in which it also sees some dvc.yaml that a .dvcignore hides from its own commands.

    shown: the folders of these, a glob. config: further configuration.
    """

    def __init__(self, root: Path, shown: str = "", config: Mapping[str, Any] | None = None) -> None:
        hold_listings()
        self.shown = [path.relative_to(root).parts for path in root.glob(shown)] if shown else []
        super().__init__(str(root), config=config)

    @cached_property
    def dvcignore(self) -> DvcIgnoreFilter:
        ignored = DvcIgnoreFilter(self.fs, self.root_dir)
        for parts in self.shown:
            ignored.ignores_trie_fs[parts] = ignored.ignores_trie_fs[()]  # the root's rules, and no folder's
        return ignored


@contextmanager
def open_repo(root: Path, shown: str = "", config: Mapping[str, Any] | None = None) -> Iterator[Repo]:
    """dvc's repository at `root`, as Project describes it; dvc's errors inside become InputError."""
    try:
        with Project(root, shown, config) as repo:
            yield repo
    except SCMError as error:
        raise InputError(f"{error}; {NO_GIT}") from None
    except DvcException as error:
        text = textwrap.shorten(str(error), 300)
        cure = CUT_OFF if re.search(r"dvc\.lock|RWLock", text) else "mend that"
        raise InputError(f"dvc: {text}; {cure} and try again") from None


def cache_of(repo: Repo) -> Path:
    """The folder of dvc's cache, with the run cache beside the objects."""
    return Path(repo.cache.local.path).parents[1]


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
    """What `git ls-files` lists; nothing without git."""
    return [name for name in (ask_git(root, "ls-files", "-z", *arguments) or "").split("\0") if name]


def refuse_absent(root: Path, *paths: str) -> None:
    """Raise InputError unless all files that git tracks of these are here, unlike in a sparse checkout."""
    if absent := [name for name in list_tracked(root, *paths) if not (root / name).exists()]:
        told = f"{absent[0]}, one of {len(absent)}, is in git and not here"
        raise InputError(
            f"{told}; `git sparse-checkout disable`, or `git restore {absent[0]}`, brings it back"
        )
