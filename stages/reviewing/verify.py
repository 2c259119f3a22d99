"""Hold a checkout, and if asked a cache or remote in a folder, against what was published.

Sums need Python alone, nothing installed. Prints a line for each altered or unexpected file, at most 20; exit
status 1 if there is any. What was not fetched is no fault, unless it is asked for by name.
"""

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from stages.parameters.errors import InputError
from stages.reviewing import records
from stages.reviewing.records import IN_GIT, SUMS, Fault, is_within_any

MOST_LINES = 20


def check(root: Path, only: Collection[str] = ()) -> list[Fault]:
    """Faults of everything published under `root`, one per path, or of the files and folders `only`."""
    try:
        expected = records.read_sums(root / SUMS)
    except FileNotFoundError:
        return [Fault(SUMS, "missing", "`git restore` brings it back, or `make publish` writes it")]
    except ValueError as error:  # a damaged line, or bytes that are no text
        return [Fault(SUMS, "altered", str(error))]
    unpublished = records.list_unpublished(root)
    results = records.list_results(root)
    present = {path for path in results if path in expected or not is_within_any(path, unpublished)}
    asked = {path for path in present | expected.keys() if not only or is_within_any(path, only)}
    unknown = [name for name in only if not any(is_within_any(path, [name]) for path in asked)]
    faults = [Fault(name, "missing", "nothing of that name was published") for name in unknown]
    summed = {path: expected[path] for path in expected if path in asked}
    return faults + records.compare(root, summed, present & asked)


def list_unsummed(root: Path) -> list[str]:
    """List files here, sorted, of outputs that the publication left out, without a sum."""
    with suppress(OSError, ValueError):
        unpublished, expected = records.list_unpublished(root), records.read_sums(root / SUMS)
        results = records.list_results(root) - expected.keys()
        return sorted(path for path in results if is_within_any(path, unpublished))
    return []


def part_absent(faults: list[Fault]) -> tuple[list[Fault], list[Fault]]:
    """Those of files that are fetched and are not here, and all others."""
    absent = [
        fault
        for fault in faults
        if fault.kind == "missing" and fault.path.startswith("data/") and not IN_GIT.fullmatch(fault.path)
    ]
    return absent, [fault for fault in faults if fault not in absent]


def part_committed(root: Path, faults: list[Fault]) -> tuple[list[Fault], list[Fault]]:
    """Those of files that commits changed since the published one, and that are as committed; all others."""
    commit = records.read_provenance(root).get("commit", "")
    since, now = list_changed(root, commit, "HEAD") if commit else None, list_changed(root, "HEAD")
    later = set() if since is None or now is None else since - now
    committed = [fault for fault in faults if fault.path in later]
    return committed, [fault for fault in faults if fault not in committed]


def list_changed(root: Path, *commits: str) -> set[str] | None:
    """Files that differ between two commits, or one and what lies there; None where git cannot tell."""
    command = ["git", "-C", str(root), "diff", "--name-only", "--no-renames", "-z", *commits, "--"]
    try:
        done = subprocess.run(command, capture_output=True)
    except FileNotFoundError:
        return None
    return set(os.fsdecode(done.stdout).split("\0")) if not done.returncode else None


def check_remote(root: Path, folder: Path) -> list[Fault]:
    """List faults of the objects in `folder`. InputError: it is no remote, or dvc is not here."""
    if not (folder / "files/md5").is_dir():
        raise InputError(f"{folder} has no folder files/md5, expected a remote or a cache of dvc")
    try:
        from stages.reviewing import objects
    except ModuleNotFoundError as error:
        raise InputError(f"--remote needs {error.name}; `source .venv/bin/activate` first") from None
    return objects.check_objects(folder, objects.read_outputs(root))


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="files and folders; none: all that was published")
    parser.add_argument("--remote", type=Path, help="a remote or a cache of dvc, as a folder")
    arguments = parser.parse_args()
    root = Path()
    withheld = sorted(records.list_unpublished(root, "withheld"))
    lines = [f"withheld, as it holds frames of single people: {folder}" for folder in withheld]
    faults = check(root, [Path(path).as_posix() for path in arguments.paths])
    committed, faults = part_committed(root, faults)
    commit = records.read_provenance(root).get("commit", "")
    if faults and commit and list_changed(root, commit, "HEAD") is None:
        told = "what was committed since counts as altered; in a shallow clone `git fetch --unshallow`"
        lines.append(f"git does not know {commit[:7]}, of which the sums are: {told}")
    if committed:
        commit = commit[:7]
        told = f"{len(committed)} files, which git holds"
        lines.append(f"committed since {commit}, of which the sums are, and not published: {told}")
    if unsummed := list_unsummed(root):
        told = f"{len(unsummed)} files, first {unsummed[0]}; publish again to give them sums"
        lines.append(f"not held against a sum, as the publication left them out: {told}")
    if not arguments.paths:
        absent, faults = part_absent(faults)
        if absent:
            told = f"{len(absent)} published files, first {absent[0].path}; `make pull` fetches them"
            lines.append(f"not here: {told}")
    if arguments.remote:
        try:
            faults += check_remote(root, arguments.remote)
        except InputError as error:
            sys.exit(f"error: {' '.join(str(error).split())}")
    for fault in faults[:MOST_LINES]:
        print(fault)
    if len(faults) > MOST_LINES:
        print(f"and {len(faults) - MOST_LINES} more")
    verdict = f"{len(faults)} fault{'s' * (len(faults) > 1)}" if faults else "verified: all that is here"
    print(*lines, verdict, sep="\n", file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
