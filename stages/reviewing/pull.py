"""Fetch published results: those of every pipeline that has run, as its dvc.lock names them.

A bare `dvc pull` fails over pipelines that have not.
"""

import logging
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from dvc.exceptions import CheckoutError, DvcException
from dvc_objects.errors import ObjectFormatError

from stages.reviewing import objects, signatures
from stages.reviewing.unpack import check_archive, unpack
from stages.running.command import run
from stages.running.repository import open_repo

CURE = "say where they were published, `dvc remote modify --local published url URL`, and pull again"


def pull(root: Path, source: str | None = None) -> dict[str, int]:
    """Fetch; counts of files by what became of them. ValueError unless all of them are there, whole.

    source: an archive in place of the remote, as a file, a folder, a URL or a DOI.
    """
    with ExitStack() as stack:
        config: dict[str, Any] = {}
        if source:
            folder = stack.enter_context(unpack(source))
            _, faults = check_archive(folder, root / signatures.SIGNERS)
            if faults:
                raise ValueError(f"{source}: {faults[0]}, one of {len(faults)}; fetch the archive again")
            config = {"remote": {"archive": {"url": str(folder.resolve())}}}
        repo = stack.enter_context(open_repo(root, config))
        remote = "archive" if source else None
        where = source or repo.config["remote"][repo.cloud.get_remote().name]["url"]
        targets = objects.list_targets(root)
        stack.enter_context(objects.away_from_pipelines(root))
        try:
            stats: dict[str, int] = repo.pull(targets, remote=remote)["stats"]
        except CheckoutError as error:
            raise ValueError(f"{where}: {len(error.target_infos)} results are not there; {CURE}") from None
        except (DvcException, ObjectFormatError, OSError) as error:
            raise ValueError(f"{where}: {error}; {CURE}") from None
    return stats


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="source", metavar="ARCHIVE", help="a file, folder, URL or DOI")
    source = parser.parse_args().source
    logging.disable()  # dvc says a line for every file that is missing
    stats = pull(Path(), source)
    print(", ".join(f"{count} files {what}" for what, count in stats.items() if count) or "all was here")


if __name__ == "__main__":
    run(main)
