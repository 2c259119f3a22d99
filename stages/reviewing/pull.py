"""Fetch published results and verify them: whatever dvc accepts, every file is held against its sum.

Nothing is written outside dvc's cache before every folder listing is as git's lock says and leads nowhere
else.
"""

import logging
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from contextlib import chdir, suppress
from pathlib import Path, PurePosixPath

from dvc.repo import Repo
from dvc_data.hashfile.hash_info import HashInfo

from stages.parameters.errors import InputError
from stages.reviewing import objects, verify
from stages.reviewing.again import is_touched
from stages.reviewing.reachable import refuse_silent
from stages.running.command import run
from stages.running.listings import load, read_listing
from stages.running.repository import EVERY_STUDY, cache_of, open_repo

CURE = (
    "say where they were published, `dvc remote modify --local published url URL`, and pull again; "
    "`make claims` and `make replay` need nothing from there"
)


def pull(root: Path, only: Sequence[str] = ()) -> int:
    """Fetch everything, or the outputs that are, hold or lie in `only`; number of files that came.

    InputError unless everything published of that is there, whole.
    """
    with open_repo(root, EVERY_STUDY) as repo:
        where = repo.config["remote"][repo.cloud.get_remote().name]["url"]
        if "://" not in where and not Path(where).is_dir():
            raise InputError(f"there is no folder {where}, where results would be published; {CURE}")
        print(f"fetching from {where}", flush=True)
        try:
            refuse_silent(repo.cloud.get_remote_odb(), where)
            fetched = fetch(repo, root.resolve(), only)
        except InputError as error:
            raise InputError(f"{where}: {error}; {CURE}") from None
        except Exception as error:  # a damaged remote fails in many ways inside dvc
            raise InputError(f"{where}: {type(error).__name__} {error}; {CURE}") from None
    _, faults = verify.part_committed(root, verify.check(root, only))
    absent, others = verify.part_absent(faults)
    if faults := others + absent:
        raise InputError(f"{where}: {faults[0]}, one of {len(faults)}; {CURE}")
    return fetched


def fetch(repo: Repo, root: Path, only: Sequence[str]) -> int:
    """Fetch into the cache; put files into their places only once nothing leads elsewhere."""
    locked, published = objects.read_md5s(root), objects.read_outputs(root)
    if only:
        chosen = [out for out in published if is_touched(out, only)]
        if not chosen:
            raise InputError(f"nothing published is, holds or lies in {', '.join(only)}")
        locked, published = ({out: md5s[out] for out in chosen} for md5s in (locked, published))
    targets = [str(root / out) for out in published] if only else None
    repo.drop_data_index()  # a dvc that holds listings against nothing may have filled it
    with chdir(root / ".dvc"):  # where no dvc.yaml is: else dvc reads it for every path, .2 s each
        # without `verify` dvc takes any bytes for an object
        fetched = repo.fetch(targets, config={"remote": {repo.cloud.get_remote().name: {"verify": True}}})
        cache = cache_of(repo)
        refuse_listings(repo, cache, published.values())
        refuse_links(root, objects.locate(cache, locked))
        # missing may be what did not run, or is withheld, where this was published
        repo.checkout(targets, allow_missing=True)
    return int(fetched)


def refuse_listings(repo: Repo, cache: Path, md5s: Iterable[str]) -> None:
    """Raise InputError for the first folder listing that is not what its name says."""
    remote = repo.cloud.get_remote_odb()
    for md5 in md5s:
        if md5.endswith(".dir"):
            path = cache / objects.place(md5)
            if path.is_file():
                read_listing(md5, path.read_bytes())
            else:
                with suppress(FileNotFoundError):  # verify tells what is missing
                    load(remote, HashInfo("md5", md5))


def refuse_links(root: Path, names: Iterable[str]) -> None:
    """Raise InputError for the first folder on the way to these files that is a link: dvc follows it."""
    folders = {folder for name in names for folder in PurePosixPath(name).parents}
    for folder in sorted(folders):
        if (root / folder).is_symlink() and root != root / folder:
            raise InputError(
                f"{folder} is a link to {(root / folder).readlink()}, expected a folder: files would be "
                "written there; remove it, and for room elsewhere use `dvc cache dir`"
            )


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="files and folders; none: all that was published")
    only = [Path(path).as_posix() for path in parser.parse_args().paths]
    logging.disable()  # dvc says a line for every file that is missing
    print(f"{pull(Path(), only)} files fetched; verified: all as published")


if __name__ == "__main__":
    run(main)
