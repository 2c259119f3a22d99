"""Write one archive of what was published: git's history, dvc's objects, reports, licence and citation.

A zip with sums of its own in SHA256SUMS: unpacked, `code.bundle` can be cloned, and the folder is a remote.
A small one has what the claims rest on in place of all objects: scores and tables of every cell.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from stages.files.artifacts import write_atomically
from stages.files.cells import TABLES
from stages.files.hashing import hash_file
from stages.parameters.errors import InputError
from stages.reviewing import objects, records, verify
from stages.reviewing.publish import refuse_faults, refuse_uncommitted
from stages.running.command import run
from stages.running.repository import ask_git, cache_of, list_tracked, open_repo
from stages.studies.cells import SCORES

Choose = Callable[[Path, Mapping[str, str]], dict[str, Path]]
BUNDLE, SUMS = "code.bundle", "SHA256SUMS"
# of git's files what one reads first; all of them are in the bundle
PLAIN = (
    *("reports", ".zenodo.json", "CITATION.cff", "LICENSE", "README.md", "requirements.lock"),
    *("dvc.yaml", "params.yaml"),
)


def list_objects(cache: Path, outputs: Mapping[str, str]) -> dict[str, Path]:
    """All of dvc's objects, by their names in a remote."""
    return {name: cache / name for name in objects.locate(cache, outputs).values()}


def list_small(cache: Path, outputs: Mapping[str, str]) -> dict[str, Path]:
    """Scores of every cell and its tables, by their names in the project: no weights and no predictions."""
    located = objects.locate(cache, outputs)
    names = [name for name in located if name.startswith(f"{SCORES}/") or Path(name).name == TABLES]
    return {name: cache / located[name] for name in names}


def write_archive(root: Path, path: Path, choose: Choose = list_objects) -> None:
    """Write to `path` what was published at `root`; `choose` says which of dvc's objects, by which names.

    InputError: something is not committed, was not published, or is not in dvc's cache.
    """
    refuse_uncommitted(root)
    with open_repo(root) as repo:
        cache = cache_of(repo)
    outputs = objects.read_outputs(root)
    refuse_faults(verify.check(root, ["reports"]) + objects.check_objects(cache, outputs))
    members = {name: root / name for name in list_tracked(root, *PLAIN)}
    members |= choose(cache, outputs)
    with TemporaryDirectory() as folder, write_atomically(path) as beside:
        members[BUNDLE] = Path(folder, BUNDLE)
        bundle_history(root, members[BUNDLE])
        sums = records.format_sums({name: hash_file(file) for name, file in members.items()})
        with ZipFile(beside, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
            for name, file in sorted(members.items()):
                archive.write(file, name)
            archive.writestr(SUMS, sums)


def bundle_history(root: Path, path: Path) -> None:
    """Write git's whole history, and clone it once. InputError where a reader could not."""
    if (ask_git(root, "rev-parse", "--is-shallow-repository") or "").strip() == "true":
        raise InputError("this clone is shallow, without history for the archive; `git fetch --unshallow`")
    branch = (ask_git(root, "branch", "--show-current") or "").split()
    ask_git(root, "bundle", "create", "-q", str(path.resolve()), "HEAD", *branch, "--tags")
    with TemporaryDirectory() as folder:
        ask_git(root, "clone", "--quiet", "--bare", str(path.resolve()), folder)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="of the zip to write")
    parser.add_argument("--small", action="store_true", help="scores and tables alone")
    chosen = parser.parse_args()
    write_archive(Path(), chosen.path, list_small if chosen.small else list_objects)
    print(f"{chosen.path}: {chosen.path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    run(main)
