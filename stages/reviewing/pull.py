"""Fetch published results and verify them: whatever dvc accepts, every file is held against its sum."""

import logging
from pathlib import Path

from stages.parameters.errors import InputError
from stages.reviewing import verify
from stages.running.command import run
from stages.running.repository import EVERY_STUDY, open_repo

CURE = (
    "say where they were published, `dvc remote modify --local published url URL`, and pull again; "
    "`make claims` and `make replay` need nothing from there"
)


def pull(root: Path) -> int:
    """Fetch; number of files that came. InputError unless everything published is there, whole."""
    with open_repo(root, EVERY_STUDY) as repo:
        where = repo.config["remote"][repo.cloud.get_remote().name]["url"]
        if "://" not in where and not Path(where).is_dir():
            raise InputError(f"there is no folder {where}, where results would be published; {CURE}")
        try:  # missing may be what did not run, or is withheld, where this was published
            fetched = repo.pull(allow_missing=True)["stats"]["fetched"]
        except Exception as error:  # a damaged listing fails in many ways inside dvc
            raise InputError(f"{where}: {type(error).__name__} {error}; {CURE}") from None
    _, faults = verify.part_committed(root, verify.check(root))
    absent, others = verify.part_absent(faults)
    if faults := others + absent:
        raise InputError(f"{where}: {faults[0]}, one of {len(faults)}; {CURE}")
    return int(fetched)


def main(root: Path = Path()) -> None:
    logging.disable()  # dvc says a line for every file that is missing
    print(f"{pull(root)} files fetched; verified: all as published")


if __name__ == "__main__":
    run(main)
