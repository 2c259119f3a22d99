"""The project as dvc and git see it; what dvc refuses is one line, with the cure where it is known."""

import os
import re
import subprocess
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dvc.exceptions import DvcException
from dvc.repo import Repo
from dvc.scm import SCMError

from stages.parameters.errors import InputError

CUT_OFF = "a killed dvc leaves such files: `rm -f .dvc/tmp/rwlock; git checkout '*dvc.lock'`"
DISTRUST = "--add safe.directory"  # in what git says, whatever its language
NO_GIT = "clone the project, or tell dvc that there is no git: `dvc config --local core.no_scm true`"


@contextmanager
def open_repo(root: Path, config: Mapping[str, Any] | None = None) -> Iterator[Repo]:
    """dvc's repository at `root`, with further configuration; dvc's errors inside become InputError."""
    try:
        with Repo(str(root), config=config) as repo:
            yield repo
    except SCMError as error:
        raise InputError(f"{error}; {NO_GIT}") from None
    except DvcException as error:
        text = textwrap.shorten(str(error), 300)
        cure = CUT_OFF if re.search(r"dvc\.lock|RWLock", text) else "mend that"
        raise InputError(f"dvc: {text}; {cure} and try again") from None


def output_of(*command: str) -> str | None:
    """What a command prints; None where it is not installed or fails.

    InputError where git does not work in a folder because another user owns it: git names the cure itself.
    """
    try:
        done = subprocess.run(command, capture_output=True)
    except FileNotFoundError:
        return None
    if done.returncode and DISTRUST in (fault := os.fsdecode(done.stderr)):
        raise InputError(fault.removeprefix("fatal: "))
    return None if done.returncode else os.fsdecode(done.stdout)  # git prints names of files
