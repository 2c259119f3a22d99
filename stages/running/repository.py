"""The project as dvc sees it; what dvc refuses is one line, with the cure where it is known."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dvc.exceptions import DvcException
from dvc.repo import Repo
from dvc.scm import SCMError

from stages.core.settings.errors import InputError
from stages.running.listings import hold_listings

CUT_OFF = "a killed dvc leaves such files: `rm -f .dvc/tmp/rwlock; git checkout '*dvc.lock'`"
NO_GIT = "clone the project, or tell dvc that there is no git: `dvc config --local core.no_scm true`"


@contextmanager
def open_repo(root: Path, config: Mapping[str, Any] | None = None) -> Iterator[Repo]:
    """Open dvc's repository at `root`, with further configuration; dvc's errors inside become InputError."""
    hold_listings()
    try:
        with Repo(str(root), config=config) as repo:
            yield repo
    except SCMError as error:
        raise InputError(f"{error}; {NO_GIT}") from None
    except DvcException as error:
        text = textwrap.shorten(str(error), 300)
        cure = CUT_OFF if re.search(r"dvc\.lock|RWLock", text) else "correct that"
        raise InputError(f"dvc: {text}; {cure} and try again") from None
