"""Fetch published results: those of every pipeline that has run, as its dvc.lock names them.

A bare `dvc pull` fails over pipelines that have not.
"""

import logging
from argparse import ArgumentParser
from pathlib import Path

from dvc.exceptions import CheckoutError, DvcException
from dvc_objects.errors import ObjectFormatError

from stages.reviewing import records
from stages.running.command import run
from stages.running.repository import open_repo

CURE = "say where they were published, `dvc remote modify --local published url URL`, and pull again"


def pull(root: Path) -> dict[str, int]:
    """Fetch; counts of files by what became of them. ValueError unless the remote has them all, whole."""
    pipelines = [str(path.with_suffix(".yaml").resolve()) for path in records.list_locks(root)]
    with open_repo(root) as repo:
        where = repo.config["remote"][repo.cloud.get_remote().name]["url"]
        try:
            stats: dict[str, int] = repo.pull(pipelines)["stats"]
        except CheckoutError as error:
            raise ValueError(f"{where}: {len(error.target_infos)} results are not there; {CURE}") from None
        except (DvcException, ObjectFormatError, OSError) as error:
            raise ValueError(f"{where}: {error}; {CURE}") from None
    return stats


def main() -> None:
    ArgumentParser(description=__doc__).parse_args()
    logging.disable()  # dvc says a line for every file that is missing
    stats = pull(Path())
    print(", ".join(f"{count} files {what}" for what, count in stats.items() if count) or "all was here")


if __name__ == "__main__":
    run(main)
