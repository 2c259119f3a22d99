"""Hold what lies in a checkout against the sums of what was published. Needs Python alone."""

import sys
from pathlib import Path

from stages.reviewing.sums import find_faults, is_fetched

MOST_LINES = 20


def verify(root: Path, *paths: str) -> None:
    """Print published files, all or those within `paths`, that are not as their sums; exit status 1 if any.

    What was not fetched is no fault, unless it is asked for by name.
    """
    faults = find_faults(root, [Path(path).as_posix() for path in paths])
    absent = [one for one in faults if one.kind == "missing" and is_fetched(one.path) and not paths]
    faults = [one for one in faults if one not in absent]
    print(*faults[:MOST_LINES], sep="\n", end="\n" if faults else "")
    if len(faults) > MOST_LINES:
        print(f"and {len(faults) - MOST_LINES} more")
    if absent:
        told = f"{len(absent)} published files, first {absent[0].path}; `make pull` fetches them"
        print(f"not here: {told}", file=sys.stderr)
    print(f"{len(faults)} faults" if faults else "verified: all that is here", file=sys.stderr)
    sys.exit(bool(faults))
