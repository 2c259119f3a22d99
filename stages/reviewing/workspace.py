"""A checkout against reports/SHA256SUMS and dvc.lock: two witnesses, so that each also judges the other."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from stages.reviewing import hashing, lock, sums


class Fault(NamedTuple):
    """What is wrong with a file: missing, truncated, altered or unexpected, and what shows it."""

    path: str
    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.path} ({self.detail})"


def check(root: Path, only: tuple[str, ...] = ()) -> list[Fault]:
    """Faults of everything published under `root`, or of the files and folders `only`."""

    def asked(path: str) -> bool:
        return not only or any(within(path, one) for one in only)

    try:
        expected = {path: one for path, one in sums.read(root).items() if asked(path)}
    except FileNotFoundError:
        return [Fault(sums.SUMS, "missing", "`make publish` writes it")]
    except ValueError as error:
        return [Fault(sums.SUMS, "altered", str(error))]
    paths = {path for path in sums.found(root) if asked(path)} | set(expected)
    sha256, md5 = hashing.digests(root, sorted(paths), "sha256", "md5")
    unknown = [one for one in only if not any(within(path, one) for path in paths)]
    faults = [Fault(one, "missing", "nothing of that name was published") for one in unknown]
    faults += [fault for path in sorted(paths) if (fault := _file(root, path, expected.get(path), sha256))]
    for path in lock.pipelines(root).values():
        faults = _judged(faults, path, path.relative_to(root).as_posix(), md5, asked)
    return faults


def _file(root: Path, path: str, expected: sums.Sum | None, sha256: Mapping[str, str]) -> Fault | None:
    if expected is None:
        return Fault(path, "unexpected", f"not in {sums.SUMS}")
    if path not in sha256:
        return Fault(path, "missing", f"absent or unreadable, {expected.size} bytes expected")
    size = (root / path).stat().st_size
    if size < expected.size:
        return Fault(path, "truncated", f"{size} of {expected.size} bytes")
    if (sha256[path], size) != expected:
        return Fault(path, "altered", f"not as in {sums.SUMS}")
    return None


def _judged(
    faults: list[Fault], path: Path, name: str, md5: Mapping[str, str], asked: Callable[[str], bool]
) -> list[Fault]:
    """Faults of files, blamed on SHA256SUMS where dvc.lock confirms the file, and of that dvc.lock."""
    try:
        outputs = {out: recorded for out, recorded in lock.outputs(path).items() if asked(out)}
    except ValueError as error:
        return [*faults, Fault(name, "altered", str(error))]
    right = {out for out, recorded in outputs.items() if recorded == md5_of(out, md5)}
    confirmed = {file for file in md5 if any(within(file, out) for out in right)}
    judged = [
        Fault(sums.SUMS, "altered", f"{one.path} is {one.kind} there, {name} confirms it")
        if one.path in confirmed
        else one
        for one in faults
    ]
    return judged + [
        Fault(name, "altered", f"its md5 of {out} is not that of the files")
        for out in sorted(set(outputs) - right)
        if not any(within(one.path, out) for one in faults)
    ]


def within(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or in it."""
    return f"{path}/".startswith(f"{folder}/")


def md5_of(output: str, md5: Mapping[str, str]) -> str:
    """dvc's md5 of an output, from those of all files: of a folder, that of its listing as JSON."""
    if output in md5:
        return md5[output]
    inside = sorted(path for path in md5 if within(path, output))
    listing = [{"md5": md5[path], "relpath": path[len(output) + 1 :]} for path in inside]
    return hashlib.md5(json.dumps(listing).encode(), usedforsecurity=False).hexdigest() + ".dir"
