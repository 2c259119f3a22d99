"""The project as dvc and git see it; what dvc refuses is one line, with the cure where it is known."""

import re
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
