"""One fault at random, in a place where files of a published project lie, and its undoing."""

import json
from pathlib import Path

import numpy as np

from stages.files.hashing import list_files

KINDS = ("bit flip", "truncation", "swap", "deletion", "extra file")
OF_OBJECTS = (*KINDS, "altered .dir")
OF_FILES = (*KINDS, "altered lock line")
Snapshot = dict[str, tuple[bytes, int]]  # content and mode by path


def snapshot(root: Path) -> Snapshot:
    """Every file under `root` but git's and dvc's own bookkeeping."""
    paths = {path.relative_to(root).as_posix(): path for path in list_files(root)}
    apart = (".git/", ".dvc/tmp/", "runs/")
    return {
        name: (path.read_bytes(), path.stat().st_mode)
        for name, path in paths.items()
        if not name.startswith(apart)
    }


def restore(root: Path, before: Snapshot) -> None:
    """Undo what was done under `root` since that snapshot."""
    after = snapshot(root)
    for name in after.keys() - before.keys():
        (root / name).unlink()
    for name in [name for name in before if before[name] != after.get(name)]:
        write(root / name, *before[name])


def write(path: Path, content: bytes, mode: int) -> None:
    """Write a file that may be read-only, and leave it so: dvc trusts a cached object that is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


def inflict(kind: str, root: Path, files: Snapshot, random: np.random.Generator) -> set[str]:
    """Do `kind` to one of the `files` under `root`, to two in a swap; the paths that are now wrong."""
    names = [name for name in files if kind != "altered .dir" or name.endswith(".dir")]
    one, other = (str(name) for name in random.permutation(names)[:2])
    content, mode = files[one]
    match kind:
        case "bit flip":
            changed = bytearray(content)
            changed[random.integers(len(content))] ^= 1 << int(random.integers(8))
            write(root / one, bytes(changed), mode)
        case "truncation":
            write(root / one, content[: random.integers(len(content))], mode)
        case "swap":
            write(root / one, files[other][0], mode)
            write(root / other, content, mode)
            return {one, other}
        case "deletion":
            (root / one).unlink()
        case "extra file":
            one = f"{one}x"
            write(root / one, content, mode)
        case "altered .dir":
            write(root / one, altered_listing(content, random), mode)
        case "altered lock line":
            one = "dvc.lock"
            lines = (root / one).read_text().splitlines(keepends=True)
            which = random.integers(len(lines))
            text = lines[which].strip()
            at = int(random.integers(len(text)))
            altered = f"{text[:at]}{'1' if text[at] != '1' else '2'}{text[at + 1 :]}"
            lines[which] = lines[which].replace(text, altered)
            write(root / one, "".join(lines).encode(), mode)
    return {one}


def altered_listing(content: bytes, random: np.random.Generator) -> bytes:
    """A file of the folder left out, renamed, or exchanged for another object: still a readable listing."""
    listing = json.loads(content)
    which = int(random.integers(len(listing)))
    match random.integers(3):
        case 0:
            del listing[which]
        case 1:
            listing[which]["relpath"] += "x"
        case _:
            listing[which]["md5"] = listing[which - 1]["md5"]
    return json.dumps(listing).encode()
