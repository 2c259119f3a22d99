"""A checkout against reports/SHA256SUMS and every dvc.lock: two witnesses, so each also judges the other."""

import hashlib
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from stages.files.hashing import hash_files
from stages.reviewing import lock, sums

IN_GIT = "reports/"  # outputs that git stores, not dvc


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
        expected = {path: sha256 for path, sha256 in sums.read(root).items() if is_asked(path)}
    except FileNotFoundError:
        return [Fault(sums.SUMS, "missing", "`make publish` writes it")]
    except ValueError as error:
        return [Fault(sums.SUMS, "altered", str(error))]
    paths = sorted({path for path in sums.list_results(root) if is_asked(path)} | expected.keys())
    sha256, md5 = hash_files(root, paths), hash_files(root, paths, "md5")
    unknown = [name for name in only if not any(is_within(path, name) for path in paths)]
    faults = {name: Fault(name, "missing", "nothing of that name was published") for name in unknown}
    for path in paths:
        if path not in expected:
            faults[path] = Fault(path, "unexpected", f"not in {sums.SUMS}")
        elif path not in sha256:
            faults[path] = Fault(path, "missing", "absent or unreadable")
        elif sha256[path] != expected[path]:
            faults[path] = Fault(path, "altered", f"not as in {sums.SUMS}")
    pulled: set[str] = set()  # what `make pull` fetches
    for lock_file in lock.list_locks(root):
        name = lock_file.relative_to(root).as_posix()
        try:
            outputs = {out: rest for out, rest in lock.read_outputs(lock_file).items() if is_asked(out)}
        except ValueError as error:
            faults[name] = Fault(name, "altered", str(error))
            continue
        for out, output in outputs.items():
            _cross_examine(faults, name, out, output.md5 == md5_of(out, md5))
            size = (root / out).stat().st_size if out in md5 else output.size
            if out in faults and size < output.size:
                faults[out] = Fault(out, "truncated", f"{size} of {output.size} bytes")
            if not out.startswith(IN_GIT):
                pulled |= {path for path in expected if is_within(path, out)}
    if pulled and all(path in faults and faults[path].kind == "missing" for path in pulled):
        count = f"{len(pulled)} of {len(expected)} published files"
        others = [fault for path, fault in faults.items() if path not in pulled]
        return [Fault(count, "missing", "`make pull` fetches them"), *others]
    return list(faults.values())


def _cross_examine(faults: dict[str, Fault], lock_name: str, out: str, is_confirmed: bool) -> None:
    """Where SHA256SUMS and dvc.lock disagree about an output, the fault is that of one of them."""
    inside = [path for path in faults if is_within(path, out)]
    if is_confirmed and inside:
        for path in inside:
            kind = faults.pop(path).kind
            detail = f"{path} is {kind} there, {lock_name} confirms it"
            faults[sums.SUMS] = Fault(sums.SUMS, "altered", detail)
    elif not is_confirmed and not inside:
        faults[lock_name] = Fault(lock_name, "altered", f"its md5 of {out} is not that of the files")


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
