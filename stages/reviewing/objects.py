"""What dvc holds: the outputs that each dvc.lock records, and their objects in a cache or remote."""

import json
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, chdir
from pathlib import Path
from typing import Any

import yaml

from stages.files.hashing import hash_file, hash_files, list_files
from stages.reviewing import records
from stages.reviewing.records import Fault

OBJECTS = "files/md5"
OBJECT = re.compile(rf"{OBJECTS}/[0-9a-f]{{2}}/[0-9a-f]{{30}}(\.dir)?")


def list_locks(root: Path) -> list[Path]:
    """The dvc.lock of every pipeline under `root` that has run, the root's own first."""
    return [path for path in (root / "dvc.lock", *sorted(root.glob("stages/**/dvc.lock"))) if path.is_file()]


def read_lock(path: Path) -> dict[str, Any]:
    """What one dvc.lock records of its stages, by their names."""
    stages: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)["stages"]
    return stages


def list_targets(root: Path) -> list[str]:
    """What is pushed and pulled: the path of every published output that dvc keeps."""
    return [str(root.resolve() / path) for path in read_outputs(root) if not records.IN_GIT.fullmatch(path)]


def away_from_pipelines(root: Path) -> AbstractContextManager[None]:
    """Work where there is no dvc.yaml: else dvc reads that and its lock for every target, .2 s each."""
    return chdir(root / ".dvc")


def read_outputs(root: Path) -> dict[str, str]:
    """md5 of every published output by its path; of a folder it is that of its listing and ends in .dir."""
    stages = [stage for path in list_locks(root) for stage in read_lock(path).values()]
    outputs = {out["path"]: str(out["md5"]) for stage in stages for out in stage.get("outs", [])}
    left_out = records.list_left_out(root)
    return {path: md5 for path, md5 in outputs.items() if path not in left_out}


def locate(folder: Path, outputs: Mapping[str, str]) -> dict[str, str]:
    """Where each file of the outputs lies in `folder`, a cache or remote; of an output that is a folder, also
    its listing, and without a readable one that alone.
    """
    located = {}
    for out, md5 in outputs.items():
        if not records.IN_GIT.fullmatch(out):
            located[out] = _object(md5)
            listing = folder / located[out]
            if md5.endswith(".dir") and listing.is_file() and hash_file(listing, "md5") == md5[:-4]:
                entries = json.loads(listing.read_bytes())
                located |= {f"{out}/{entry['relpath']}": _object(entry["md5"]) for entry in entries}
    return located


def holds(folder: Path, outputs: Mapping[str, str]) -> bool:
    """Whether every object is there that the outputs need."""
    return all((folder / path).is_file() for path in locate(folder, outputs).values())


def _object(md5: str) -> str:
    """Where the object of that md5 lies."""
    return f"{OBJECTS}/{md5[:2]}/{md5[2:]}"


def check_objects(folder: Path, outputs: Mapping[str, str]) -> list[Fault]:
    """Faults of dvc's objects in `folder`, a cache or remote; `outputs` are those that it must hold, by path.

    The run cache beside the objects is not judged: what it names is verified once it is an output.
    """
    present = {file.relative_to(folder).as_posix() for file in list_files(folder / OBJECTS)}
    md5 = hash_files(folder, present, "md5")
    whole = {path for path in md5 if _object(md5[path]) == path.removesuffix(".dir")}
    needed = {path: out for out, path in locate(folder, outputs).items()}
    faults = []
    for path in sorted((present | needed.keys()) - whole):
        kind = "altered" if path in present else "missing"
        detail = f"holds {needed[path]}" if path in needed else "needed by no output of dvc.lock"
        if not OBJECT.fullmatch(path):
            kind, detail = "unexpected", "not the name of an object"
        faults.append(Fault(path, kind, detail))
    return faults
