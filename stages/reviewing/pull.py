"""Fetch published results and verify them: whatever dvc accepts, every file is held against its sum.

Nothing is written outside dvc's cache before every folder listing is as git's lock says and leads nowhere
else.
"""

import logging
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from threading import Thread
from typing import Any

from dvc.repo import Repo

from stages.core.settings.errors import InputError
from stages.reviewing.objects import list_published, locate
from stages.reviewing.sums import find_faults, is_within, read_sums
from stages.running.cache import cache_of
from stages.running.repository import open_repo

CURE = (
    "say where they were published, `dvc remote modify --local published url URL`, and pull again; "
    "`make claims` and `make replay` need nothing from there"
)
PATIENCE_S = 30


def pull(root: Path, *paths: str) -> None:
    """Fetch all that was published, or what is or lies in `paths`. InputError unless all came whole."""
    logging.disable()  # dvc says a line for every file that is missing
    only = [Path(path).as_posix() for path in paths]
    with open_repo(root) as repo:
        where = repo.config["remote"][repo.cloud.get_remote().name]["url"]
        if "://" not in where and not Path(where).is_dir():
            raise InputError(f"there is no folder {where}, where results would be published; {CURE}")
        print(f"fetching from {where}", flush=True)
        try:
            refuse_silent(repo.cloud.get_remote_odb())
            fetched = fetch(repo, root.resolve(), only)
        except Exception as error:  # a damaged remote fails in many ways inside dvc
            kind = "" if isinstance(error, InputError) else f"{type(error).__name__} "
            raise InputError(f"{where}: {kind}{error}; {CURE}") from None
    if faults := find_faults(root, only):
        raise InputError(f"{where}: {faults[0]}, one of {len(faults)}; {CURE}")
    print(f"{fetched} files fetched; verified: all as published")


def refuse_silent(odb: Any) -> None:
    """Raise InputError unless a remote answers in time, be it no: dvc asks a silent one for minutes."""

    def ask() -> None:
        with suppress(Exception):  # every protocol has its own, which fetching meets again
            odb.fs.exists(odb.path)

    thread = Thread(target=ask, daemon=True)  # which outlives its use where nothing answers
    thread.start()
    thread.join(PATIENCE_S)
    if thread.is_alive():
        raise InputError(f"no answer within {PATIENCE_S} s")


def fetch(repo: Repo, root: Path, only: Collection[str]) -> int:
    """Fetch into the cache; put files into their places only once nothing leads elsewhere."""
    published = list_published(repo, read_sums(root))
    inside = [path for path in only if is_within(path, published)]
    targets = {*inside, *(out for out in published if not only or is_within(out, only))}
    outputs = {out: published[out] for out in published if any(is_within(one, [out]) for one in targets)}
    if not outputs:
        raise InputError(f"nothing was published of {', '.join(only) or 'this project'}")
    paths = [str(root / target) for target in sorted(targets)]
    repo.drop_data_index()  # a dvc that holds listings against nothing may have filled it
    # without `verify` dvc takes any bytes for an object
    fetched = repo.fetch(paths, config={"remote": {repo.cloud.get_remote().name: {"verify": True}}})
    refuse_links(root, locate(cache_of(root), outputs))
    repo.checkout(paths, allow_missing=True)  # sums tell what is missing
    return int(fetched)


def refuse_links(root: Path, names: Iterable[str]) -> None:
    """Raise InputError for the first folder on the way to these files that is a link: dvc follows it."""
    folders = {folder for name in names for folder in PurePosixPath(name).parents}
    for folder in sorted(folders):
        if (root / folder).is_symlink() and root != root / folder:
            raise InputError(
                f"{folder} is a link to {(root / folder).readlink()}, expected a folder: files would be "
                "written there; remove it, and for room elsewhere use `dvc cache dir`"
            )
