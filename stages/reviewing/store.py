"""A cache or remote of dvc in a folder: every object against its name, and that every needed one is there."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from stages.files.hashing import hash_files, list_files
from stages.reviewing.lock import Output
from stages.reviewing.workspace import IN_GIT, Fault

OBJECTS = "files/md5"
NAME = re.compile(r"[0-9a-f]{2}/[0-9a-f]{30}(\.dir)?")


def check(folder: Path, outputs: Mapping[str, Output]) -> list[Fault]:
    """Faults of the objects in `folder`; `outputs` are those that it must hold, by path.

    The run cache beside the objects is not judged: what it names is verified once it is an output.
    """
    root = folder / OBJECTS
    present = sorted(file.relative_to(root).as_posix() for file in list_files(root))
    md5 = hash_files(root, present, "md5")
    altered = [path for path in present if md5.get(path) != path.replace("/", "").removesuffix(".dir")]
    holds = {}  # what each needed object holds
    for out, output in outputs.items():
        if not out.startswith(IN_GIT):
            path = path_of(output.md5)
            holds[path] = out
            if path.endswith(".dir") and path in md5 and path not in altered:
                listing = json.loads((root / path).read_bytes())
                holds |= {path_of(entry["md5"]): f"{out}/{entry['relpath']}" for entry in listing}
    faults = []
    for path in [*altered, *sorted(holds.keys() - set(present))]:
        detail = f"holds {holds[path]}" if path in holds else "needed by no output of dvc.lock"
        kind = "altered" if path in altered else "missing"
        if not NAME.fullmatch(path):
            kind, detail = "unexpected", "not the name of an object"
        faults.append(Fault(f"{OBJECTS}/{path}", kind, detail))
    return faults


def path_of(md5: str) -> str:
    """Where the object of that md5 lies."""
    return f"{md5[:2]}/{md5[2:]}"
