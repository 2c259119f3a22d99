"""Write one archive of what was published: git's history, dvc's objects, reports, licence and citation.

A zip with sums of its own in SHA256SUMS: unpacked, `code.bundle` can be cloned, and the folder is a remote.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from stages.core.settings.errors import InputError
from stages.files.artifacts import write_atomically
from stages.files.hashing import hash_file
from stages.reviewing.objects import list_published, locate, refuse_damaged
from stages.reviewing.publish import refuse_uncommitted
from stages.reviewing.sums import SUMS, find_faults, format_sums, read_sums
from stages.running.cache import cache_of, place
from stages.running.git import ask_git, list_tracked
from stages.running.repository import open_repo

BUNDLE = "code.bundle"
# of git's files what one reads first; all of them are in the bundle
PLAIN = (
    *("reports", ".zenodo.json", "CITATION.cff", "LICENSE", "README.md", "requirements.lock"),
    *("dvc.yaml", "params.yaml"),
)


def archive(root: Path, path: str) -> None:
    """Write to `path` what was published.

    InputError: something is not committed, was not published, or is not in dvc's cache.
    """
    refuse_uncommitted(root)
    if faults := find_faults(root, ["reports"]):
        raise InputError(f"{faults[0]}, one of {len(faults)}; `make publish` publishes it first")
    with open_repo(root) as repo:
        outputs = list_published(repo, read_sums(root))
    cache = cache_of(root)
    refuse_damaged(cache, outputs)
    objects = {*map(place, outputs.values()), *locate(cache, outputs).values()}
    members = {name: root / name for name in list_tracked(root, *PLAIN)}
    members |= {name: cache / name for name in objects}
    with TemporaryDirectory() as folder, write_atomically(Path(path)) as beside:
        members[BUNDLE] = Path(folder, BUNDLE)
        bundle_history(root, members[BUNDLE])
        sums = format_sums({name: hash_file(file) for name, file in members.items()})
        with ZipFile(beside, "w", ZIP_DEFLATED, strict_timestamps=False) as zipped:
            for name, file in sorted(members.items()):
                zipped.write(file, name)
            zipped.writestr(Path(SUMS).name, sums)
    print(f"{path}: {Path(path).stat().st_size / 1e6:.1f} MB")


def bundle_history(root: Path, path: Path) -> None:
    """Write git's whole history, and clone it once. InputError where a reader could not."""
    if (ask_git(root, "rev-parse", "--is-shallow-repository") or "").strip() == "true":
        raise InputError("this clone is shallow, without history for the archive; `git fetch --unshallow`")
    branch = (ask_git(root, "branch", "--show-current") or "").split()
    ask_git(root, "bundle", "create", "-q", str(path.resolve()), "HEAD", *branch, "--tags")
    with TemporaryDirectory() as folder:
        ask_git(root, "clone", "--quiet", "--bare", str(path.resolve()), folder)
