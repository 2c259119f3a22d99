"""Hold a checkout, and if asked a cache or remote in a folder, against what was published.

Needs Python alone, nothing installed. Prints a line for each missing, truncated, altered or unexpected file,
at most 20; exit status 1 if there is any.
"""

import sys
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path

from stages.reviewing import lock, store, workspace

MOST_LINES = 20


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="files and folders; none: all that was published")
    parser.add_argument("--remote", type=Path, help="a remote or a cache of dvc, as a folder")
    arguments = parser.parse_args()
    faults = workspace.check(Path(), [Path(path).as_posix() for path in arguments.paths])
    if arguments.remote:
        outputs = {}
        with suppress(OSError, ValueError):  # a fault of the checkout, named above
            outputs = lock.read_all_outputs(Path())
        faults += store.check(arguments.remote, outputs)
    print(*faults[:MOST_LINES], sep="\n", end="\n" if faults else "")
    if len(faults) > MOST_LINES:
        print(f"and {len(faults) - MOST_LINES} more")
    print(f"{len(faults)} faults" if faults else "verified: all as published", file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
