"""What dvc holds: the outputs that each dvc.lock records, and their objects in a cache or remote."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from dvc.utils.serialize import load_yaml

from stages.files.hashing import hash_files, list_files
from stages.reviewing import records
from stages.reviewing.records import Fault
from stages.running.listings import ListingError, read_listing
from stages.running.repository import list_tracked

OBJECTS = "files/md5"
OBJECT = re.compile(rf"{OBJECTS}/[0-9a-f]{{2}}/[0-9a-f]{{30}}(\.dir)?")
LOCKS = ("dvc.lock", "stages/**/dvc.lock", "studies/**/dvc.lock")
PIPELINES = tuple(lock.replace(".lock", ".yaml") for lock in LOCKS)


def list_locks(root: Path) -> list[Path]:
    """The dvc.lock of every pipeline under `root` that has run, the root's own first."""
    return [path for pattern in LOCKS for path in sorted(root.glob(pattern))]


def read_lock(path: Path) -> dict[str, Any]:
    """What one dvc.lock records of its stages, by their names."""
    stages: dict[str, Any] = load_yaml(path)["stages"]
    return stages


def read_md5s(root: Path) -> dict[str, str]:
    """md5 of every output of every dvc.lock, by its path; of a folder that of its listing, .dir."""
    stages = [stage for path in list_locks(root) for stage in read_lock(path).values()]
    return {out["path"]: str(out["md5"]) for stage in stages for out in stage.get("outs", [])}


def read_outputs(root: Path) -> dict[str, str]:
    """The sums of every published output that dvc keeps."""
    outputs = read_md5s(root)
    return {
        path: outputs[path] for path in select_kept(root, outputs.keys() - records.list_unpublished(root))
    }


def select_kept(root: Path, outs: Iterable[str]) -> list[str]:
    """Those of the outputs that git does not hold, sorted."""
    in_git = list_tracked(root, *records.FOLDERS)
    return sorted(path for path in set(outs).difference(in_git) if not records.IN_GIT.fullmatch(path))


def locate(folder: Path, outputs: Mapping[str, str]) -> dict[str, str]:
    """Where each file of the outputs lies in `folder`, a cache or remote; of an output that is a folder, also
    its listing, and without a readable one that alone.
    """
    located = {}
    for out, md5 in outputs.items():
        located[out] = place(md5)
        listing = folder / located[out]
        if md5.endswith(".dir") and listing.is_file():
            with suppress(ListingError):
                entries = read_listing(md5, listing.read_bytes())
                located |= {f"{out}/{entry['relpath']}": place(entry["md5"]) for entry in entries}
    return located


def place(md5: str) -> str:
    """Return where the object of that md5 lies in a cache or remote."""
    return f"{OBJECTS}/{md5[:2]}/{md5[2:]}"


def check_objects(folder: Path, outputs: Mapping[str, str]) -> list[Fault]:
    """Faults of dvc's objects in `folder`, a cache or remote; `outputs` are those that it must hold, by path.

    The run cache beside the objects is not judged: what it names is verified once it is an output.
    """
    present = {file.relative_to(folder).as_posix() for file in list_files(folder / OBJECTS)}
    md5 = hash_files(folder, present, "md5")
    whole = {path for path in md5 if place(md5[path]) == path.removesuffix(".dir")}
    needed = {path: out for out, path in locate(folder, outputs).items()}
    faults = []
    for path in sorted((present | needed.keys()) - whole):
        kind = "altered" if path in present else "missing"
        detail = f"holds {needed[path]}" if path in needed else "needed by no output of dvc.lock"
        if not OBJECT.fullmatch(path):
            kind, detail = "unexpected", "not the name of an object"
        faults.append(Fault(path, kind, detail))
    return faults + [fault for fault in check_listings(folder, outputs) if fault.path in whole]


def check_listings(folder: Path, outputs: Mapping[str, str]) -> list[Fault]:
    """List faults of the folder listings of these outputs that lie in `folder`, a cache or remote."""
    faults = []
    for out, md5 in outputs.items():
        if md5.endswith(".dir") and (folder / place(md5)).is_file():
            try:
                read_listing(md5, (folder / place(md5)).read_bytes())
            except ListingError as error:
                faults.append(Fault(place(md5), "altered", f"holds {out}; {error}"))
    return faults
