"""Hold a checkout, and if asked a cache or remote in a folder, against what was published.

reports/SHA256SUMS and dvc.lock are two witnesses, so each also judges the other. Needs Python alone, nothing
installed. Prints a line for each missing, truncated, altered or unexpected file, at most 20; exit status 1 if
there is any.
"""

import hashlib
import json
import re
import sys
from argparse import ArgumentParser
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from stages.files.hashing import hash_files, list_files
from stages.reviewing import records
from stages.reviewing.records import IN_GIT, SUMS, Output

OBJECTS = "files/md5"
OBJECT = re.compile(r"[0-9a-f]{2}/[0-9a-f]{30}(\.dir)?")
MOST_LINES = 20


class Fault(NamedTuple):
    """What is wrong with a file: missing, truncated, altered or unexpected, and what shows it."""

    path: str
    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.path} ({self.detail})"


def check(root: Path, only: Collection[str] = ()) -> list[Fault]:
    """Faults of everything published under `root`, one per path, or of the files and folders `only`."""

    def is_asked(path: str) -> bool:
        return not only or any(is_within(path, name) for name in only)

    try:
        expected = {path: sha256 for path, sha256 in records.read_sums(root).items() if is_asked(path)}
    except FileNotFoundError:
        return [Fault(SUMS, "missing", "`make publish` writes it")]
    except ValueError as error:
        return [Fault(SUMS, "altered", str(error))]
    paths = sorted(filter(is_asked, records.list_results(root) | expected.keys()))
    sha256, md5 = hash_files(root, paths), hash_files(root, paths, "md5")
    unknown = [name for name in only if not any(is_within(path, name) for path in paths)]
    faults = {name: Fault(name, "missing", "nothing of that name was published") for name in unknown}
    for path in paths:
        if path not in expected:
            faults[path] = Fault(path, "unexpected", f"not in {SUMS}")
        elif path not in sha256:
            faults[path] = Fault(path, "missing", "absent or unreadable")
        elif sha256[path] != expected[path]:
            faults[path] = Fault(path, "altered", f"not as in {SUMS}")
    pulled: set[str] = set()  # what `make pull` fetches
    for lock in records.list_locks(root):
        name = lock.relative_to(root).as_posix()
        try:
            outputs = records.read_outputs(lock)
        except ValueError as error:
            faults[name] = Fault(name, "altered", str(error))
            continue
        for out in filter(is_asked, outputs):
            inside = [path for path in faults if is_within(path, out)]
            if outputs[out].md5 == md5_of(out, md5):
                for path in inside:
                    detail = f"{path} is {faults.pop(path).kind} there, {name} confirms it"
                    faults[SUMS] = Fault(SUMS, "altered", detail)
            elif not inside:
                faults[name] = Fault(name, "altered", f"its md5 of {out} is not that of the files")
            elif out in md5 and (size := (root / out).stat().st_size) < outputs[out].size:
                faults[out] = Fault(out, "truncated", f"{size} of {outputs[out].size} bytes")
            if not out.startswith(IN_GIT):
                pulled |= {path for path in expected if is_within(path, out)}
    if pulled and all(path in faults and faults[path].kind == "missing" for path in pulled):
        count = f"{len(pulled)} of {len(expected)} published files"
        others = [fault for path, fault in faults.items() if path not in pulled]
        return [Fault(count, "missing", "`make pull` fetches them"), *others]
    return list(faults.values())


def is_within(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or in it."""
    return f"{path}/".startswith(f"{folder}/")


def md5_of(output: str, md5: Mapping[str, str]) -> str:
    """dvc's md5 of an output, from those of all files: of a folder, that of its listing as JSON."""
    if output in md5:
        return md5[output]
    inside = sorted(path for path in md5 if is_within(path, output))
    listing = [{"md5": md5[path], "relpath": path[len(output) + 1 :]} for path in inside]
    return hashlib.md5(json.dumps(listing).encode(), usedforsecurity=False).hexdigest() + ".dir"


def check_objects(folder: Path, outputs: Mapping[str, Output]) -> list[Fault]:
    """Faults of dvc's objects in `folder`, a cache or remote; `outputs` are those that it must hold, by path.

    The run cache beside the objects is not judged: what it names is verified once it is an output.
    """
    root = folder / OBJECTS
    present = {file.relative_to(root).as_posix() for file in list_files(root)}
    md5 = hash_files(root, present, "md5")
    whole = {path for path in md5 if md5[path] == path.replace("/", "").removesuffix(".dir")}
    holds = {}  # what each needed object holds
    for out in outputs:
        if not out.startswith(IN_GIT):
            path = _object(outputs[out].md5)
            holds[path] = out
            if path.endswith(".dir") and path in whole:
                listing = json.loads((root / path).read_bytes())
                holds |= {_object(entry["md5"]): f"{out}/{entry['relpath']}" for entry in listing}
    faults = []
    for path in sorted((present | holds.keys()) - whole):
        kind = "altered" if path in present else "missing"
        detail = f"holds {holds[path]}" if path in holds else "needed by no output of dvc.lock"
        if not OBJECT.fullmatch(path):
            kind, detail = "unexpected", "not the name of an object"
        faults.append(Fault(f"{OBJECTS}/{path}", kind, detail))
    return faults


def _object(md5: str) -> str:
    """Where the object of that md5 lies."""
    return f"{md5[:2]}/{md5[2:]}"


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="files and folders; none: all that was published")
    parser.add_argument("--remote", type=Path, help="a remote or a cache of dvc, as a folder")
    arguments = parser.parse_args()
    faults = check(Path(), [Path(path).as_posix() for path in arguments.paths])
    if arguments.remote:
        outputs = {}
        with suppress(OSError, ValueError):  # a fault of the checkout, named above
            outputs = records.read_all_outputs(Path())
        faults += check_objects(arguments.remote, outputs)
    print(*faults[:MOST_LINES], sep="\n", end="\n" if faults else "")
    if len(faults) > MOST_LINES:
        print(f"and {len(faults) - MOST_LINES} more")
    found = f"{len(faults)} fault{'s' * (len(faults) > 1)}"
    print(found if faults else "verified: all as published", file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
