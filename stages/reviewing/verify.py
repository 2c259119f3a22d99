"""Hold a checkout, and if asked a cache or remote in a folder, against what was published.

Needs Python alone, nothing installed. Prints a line for each missing, truncated, altered or unexpected file;
exit status 1 if there is any.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path

from stages.reviewing import lock, store, workspace


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="files and folders; none: all that was published")
    parser.add_argument("--remote", type=Path, help="a remote or a cache of dvc, as a folder")
    arguments = parser.parse_args()
    faults = workspace.check(Path(), tuple(Path(path).as_posix() for path in arguments.paths))
    if arguments.remote:
        faults += store.check(arguments.remote, _outputs())
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults" if faults else "verified: all as published", file=sys.stderr)
    sys.exit(bool(faults))


def _outputs() -> dict[str, str]:
    try:
        return lock.all_outputs(Path())
    except (OSError, ValueError):  # a fault of the checkout, named there
        return {}


if __name__ == "__main__":
    main()
