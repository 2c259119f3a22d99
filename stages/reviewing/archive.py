"""Write one archive of what was published: git's history, dvc's objects, reports, licence and citation.

A zip with sums of its own in SHA256SUMS: unpacked, `code.bundle` can be cloned, and the folder is a remote.
"""

from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from stages.files.artifacts import write_atomically
from stages.files.hashing import hash_file
from stages.reviewing import objects, records, verify
from stages.reviewing.publish import refuse_faults, refuse_uncommitted
from stages.running.command import run
from stages.running.repository import open_repo, output_of

BUNDLE, SUMS = "code.bundle", "SHA256SUMS"
# of git's files what one reads first; all of them are in the bundle
PLAIN = (
    *("reports", ".zenodo.json", "CITATION.cff", "LICENSE", "README.md", "requirements.lock"),
    *("dvc.yaml", "params.yaml"),
)


def write_archive(root: Path, path: Path) -> None:
    """Write to `path` what was published at `root`.

    InputError: something is not committed, was not published, or is not in dvc's cache.
    """
    refuse_uncommitted(root)
    with open_repo(root) as repo:
        cache = Path(repo.cache.local.path).parents[1]
    outputs = objects.read_outputs(root)
    refuse_faults(verify.check(root, ["reports"]) + objects.check_objects(cache, outputs))
    git = ("git", "-C", str(root))
    plain = (output_of(*git, "ls-files", "-z", *PLAIN) or "").split("\0")
    members = {name: root / name for name in plain if name}
    members |= {name: cache / name for name in objects.locate(cache, outputs).values()}
    with TemporaryDirectory() as folder, write_atomically(path) as beside:
        members[BUNDLE] = Path(folder, BUNDLE)
        branch = (output_of(*git, "branch", "--show-current") or "").split()
        output_of(*git, "bundle", "create", "-q", str(members[BUNDLE]), "HEAD", *branch, "--tags")
        sums = records.format_sums({name: hash_file(file) for name, file in members.items()})
        with ZipFile(beside, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
            for name, file in sorted(members.items()):
                archive.write(file, name)
            archive.writestr(SUMS, sums)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="of the zip to write")
    path = parser.parse_args().path
    write_archive(Path(), path)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    run(main)
