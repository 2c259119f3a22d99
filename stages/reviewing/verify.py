"""Hold a checkout, and if asked a cache or remote in a folder, against what was published.

Sums need Python alone, nothing installed. Prints a line for each missing, altered or unexpected file, at most
20; exit status 1 if there is any.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Collection
from pathlib import Path

from stages.reviewing import records, replays, signatures
from stages.reviewing.records import IN_GIT, SUMS, Fault, is_within_any
from stages.reviewing.unpack import check_archive, unpack

MOST_LINES = 20


def check(root: Path, only: Collection[str] = ()) -> list[Fault]:
    """Faults of everything published under `root`, one per path, or of the files and folders `only`."""
    try:
        expected = records.read_sums(root / SUMS)
    except FileNotFoundError:
        return [Fault(SUMS, "missing", "`make publish` writes it")]
    except ValueError as error:
        return [Fault(SUMS, "altered", str(error))]
    left_out = records.list_left_out(root)
    present = {path for path in records.list_results(root) if not is_within_any(path, left_out)}
    asked = {path for path in present | expected.keys() if not only or is_within_any(path, only)}
    unknown = [name for name in only if not any(is_within_any(path, [name]) for path in asked)]
    faults = [Fault(name, "missing", "nothing of that name was published") for name in unknown]
    faults += records.compare(
        root, {path: expected[path] for path in expected.keys() & asked}, present & asked
    )
    pulled = {path for path in expected if path.startswith("data/") and not IN_GIT.fullmatch(path)}
    if pulled and pulled <= {fault.path for fault in faults if fault.kind == "missing"}:
        count = f"{len(pulled)} of {len(expected)} published files"
        others = [fault for fault in faults if fault.path not in pulled]
        return [Fault(count, "missing", "`make pull` fetches them"), *others]
    return faults


def check_signatures(root: Path, signers: Path) -> tuple[list[str], list[Fault]]:
    """Who published and who replayed, a line each, as far as allowed signers are known; and what is wrong."""
    known, faults = replays.check_replays(root, signers)
    lines = [*map(str, known), replays.count(known)]
    if not signatures.signature_of(root / SUMS).exists():
        return ["not signed", *lines], faults
    signer = signatures.identify_signer(root, SUMS, signers)
    if isinstance(signer, Fault):
        return lines, [signer, *faults]
    return [f"signed by {signer}", *lines], faults


def check_all(
    paths: Collection[str], signers: Path, remote: Path | None, archive: str | None
) -> tuple[list[str], list[Fault]]:
    """What there is to say about the checkout here, or about an archive alone, and its faults."""
    if archive:
        with unpack(archive) as folder:
            return check_archive(folder, signers)
    lines, faults = check_signatures(Path(), signers)
    lines += [
        f"withheld, as it holds frames of single people: {folder}" for folder in records.read_withheld(Path())
    ]
    faults = check(Path(), [Path(path).as_posix() for path in paths]) + faults
    if remote:
        from stages.reviewing import objects  # needs a YAML library, and sums nothing but Python

        faults += objects.check_objects(remote, objects.read_outputs(Path()))
    return lines, faults


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="files and folders; none: all that was published")
    parser.add_argument("--remote", type=Path, help="a remote or a cache of dvc, as a folder")
    parser.add_argument("--archive", help="that alone: a file, folder, URL or DOI")
    parser.add_argument("--signers", type=Path, default=Path(signatures.SIGNERS), help="as in man ssh-keygen")
    arguments = parser.parse_args()
    try:
        lines, faults = check_all(arguments.paths, arguments.signers, arguments.remote, arguments.archive)
    except (OSError, ValueError) as error:  # of an archive that cannot be had
        sys.exit(f"error: {error}")
    print(*faults[:MOST_LINES], sep="\n", end="\n" if faults else "")
    if len(faults) > MOST_LINES:
        print(f"and {len(faults) - MOST_LINES} more")
    found = f"{len(faults)} fault{'s' * (len(faults) > 1)}"
    print(*lines, found if faults else "verified: all as published", sep="\n", file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
