"""Fetch published results: those of every pipeline that has run, as its dvc.lock names them.

A bare `dvc pull` fails over pipelines that have not.
"""

import logging
from argparse import ArgumentParser
from pathlib import Path

from dvc.exceptions import DvcException
from dvc_objects.errors import ObjectFormatError

from stages.reviewing import lock
from stages.running.command import run
from stages.running.repository import open_repo

CURE = "say where they were published, `dvc remote modify --local published url URL`, and pull again"


def pull(root: Path) -> dict[str, int]:
    """Fetch; counts of files by what became of them. ValueError unless the remote has them all, whole."""
    pipelines = [str(path.with_suffix(".yaml").resolve()) for path in lock.list_locks(root)]
    logging.getLogger("dvc").setLevel(logging.CRITICAL)  # it says a line for every file that is missing
    with open_repo(root) as repo:
        remote = repo.cloud.get_remote()
        where = repo.config["remote"][remote.name]["url"]
        if remote.fs.protocol == "local" and not Path(remote.path).exists():
            where += ", where there is no such folder"
        try:
            stats: dict[str, int] = repo.pull(pipelines)["stats"]
        except (DvcException, ObjectFormatError, OSError) as error:
            first, *_ = str(error).splitlines() or [type(error).__name__]
            raise ValueError(f"results are looked for in {where}: {first.rstrip(':')}; {CURE}") from None
    return stats


def main() -> None:
    ArgumentParser(description=__doc__).parse_args()
    stats = pull(Path())
    print(", ".join(f"{count} files {what}" for what, count in stats.items() if count) or "all was here")


if __name__ == "__main__":
    run(main)
