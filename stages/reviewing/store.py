"""A cache or remote of dvc in a folder: every object against its name, and that every needed one is there."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from stages.reviewing import hashing
from stages.reviewing.workspace import Fault

OBJECTS = "files/md5"
NAME = re.compile(r"[0-9a-f]{2}/[0-9a-f]{30}(\.dir)?")
IN_GIT = "reports/"  # outputs that git stores, not dvc


def check(folder: Path, outputs: Mapping[str, str]) -> list[Fault]:
    """Faults of the objects in `folder`; `outputs` are those that it must hold, md5 by path.

    The run cache beside the objects is not judged: what it names is verified once it is an output.
    """
    root = folder / OBJECTS
    present = {path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir()}
    (md5,) = hashing.digests(root, sorted(present), "md5")
    altered = {path for path in present if md5.get(path, "") != path.replace("/", "").removesuffix(".dir")}
    needed = {out: value for out, value in outputs.items() if not out.startswith(IN_GIT)}
    listings = {out: value for out, value in needed.items() if value.endswith(".dir")}
    for out, value in listings.items():
        if (path := stored(value)) in present - altered:
            listing = json.loads((root / path).read_bytes())
            needed |= {f"{out}/{one['relpath']}": one["md5"] for one in listing}
    what = {stored(value): out for out, value in needed.items()}
    faults = [Fault(f"{OBJECTS}/{path}", *_kind(path, what.get(path, ""))) for path in sorted(altered)]
    return faults + [
        Fault(f"{OBJECTS}/{path}", "missing", f"holds {what[path]}") for path in sorted(set(what) - present)
    ]


def _kind(path: str, output: str) -> tuple[str, str]:
    if not NAME.fullmatch(path):
        return "unexpected", "not the name of an object"
    return "altered", f"holds {output}" if output else "needed by no output of dvc.lock"


def stored(md5: str) -> str:
    """Where the object of that md5 lies."""
    return f"{md5[:2]}/{md5[2:]}"
