"""Two hundred single faults in remote, cache or workspace: verify finds each, and pull those of a result."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from published_project import Published, Snapshot, clone, pull_from, snapshot

from stages.reviewing import objects, records, verify
from stages.reviewing.pull import pull

KINDS = ("bit flip", "truncation", "swap", "deletion", "extra file")
OF_OBJECTS = (*KINDS, "altered .dir")
OF_FILES = (*KINDS, "altered lock line")


def write(path: Path, content: bytes, mode: int) -> None:
    """Write a file that may be read-only, and leave it so: dvc trusts a cached object that is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


def restore(root: Path, before: Snapshot) -> None:
    """Undo what was done under `root` since that snapshot."""
    after = snapshot(root)
    for name in after.keys() - before.keys():
        (root / name).unlink()
    for name in [name for name in before if before[name] != after.get(name)]:
        write(root / name, *before[name])


def inflict(kind: str, root: Path, files: Snapshot, random: np.random.Generator) -> set[str]:
    """Do `kind` to one of the `files` under `root`, to two in a swap; the paths that are now wrong."""
    names = [name for name in files if kind != "altered .dir" or name.endswith(".dir")]
    one, other = (str(name) for name in random.permutation(names)[:2])
    content, mode = files[one]
    match kind:
        case "bit flip":
            flipped = bytearray(content)
            flipped[random.integers(len(content))] ^= 1 << int(random.integers(8))
            wrong = {one: bytes(flipped)}
        case "truncation":
            wrong = {one: content[: random.integers(len(content))]}
        case "swap":
            wrong = {one: files[other][0], other: content}
        case "deletion":
            (root / one).unlink()
            return {one}
        case "extra file":
            wrong = {f"{one}x": content}
        case "altered .dir":
            wrong = {one: alter_listing(content, random)}
        case _:  # a character in a line of the lock
            lock = (root / "dvc.lock").read_bytes()
            at = random.choice([place for place, byte in enumerate(lock) if not chr(byte).isspace()])
            wrong = {"dvc.lock": lock[:at] + (b"2" if lock[at : at + 1] == b"1" else b"1") + lock[at + 1 :]}
    for name, changed in wrong.items():
        write(root / name, changed, mode)
    return {name for name, changed in wrong.items() if name not in files or changed != files[name][0]}


def alter_listing(content: bytes, random: np.random.Generator) -> bytes:
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


class Place(NamedTuple):
    """Where a fault is made."""

    name: str
    root: Path
    checkout: Path
    files: Snapshot  # those that may be damaged
    kinds: tuple[str, ...]

    def verify(self) -> list[str]:
        """Paths that verify names, sorted."""
        if self.root == self.checkout:
            return sorted(fault.path for fault in verify.check(self.checkout))
        outputs = objects.read_outputs(self.checkout)
        return sorted(fault.path for fault in objects.check_objects(self.root, outputs))


@pytest.fixture(scope="module")
def places(published: Published, tmp_path_factory: pytest.TempPathFactory) -> list[Place]:
    """A remote that a fresh clone pulls; the cache and the workspace of a clone that has pulled."""
    folder = tmp_path_factory.mktemp("damage")
    pulled, fresh = clone(published, folder / "pulled"), clone(published, folder / "fresh")
    remote, cache = Path(shutil.copytree(published.remote, folder / "remote")), pulled / ".dvc/cache"
    pull_from(fresh, str(remote))
    pull(pulled)
    listed = {
        path for path in records.read_sums(pulled / records.SUMS) if path.split("/")[0] in records.FOLDERS
    }
    of_workspace = {path: one for path, one in snapshot(pulled).items() if path in listed}
    return [
        Place("remote", remote, fresh, snapshot(remote), OF_OBJECTS),
        Place("cache", cache, pulled, snapshot(cache), OF_OBJECTS),
        Place("workspace", pulled, pulled, of_workspace, OF_FILES),
    ]


def trials(places: list[Place], faults: int) -> Iterator[tuple[Place, str, set[str]]]:
    """Each fault in turn, undone before the next: where, what, the files that are wrong."""
    every = [(place, kind) for place in places for kind in place.kinds]
    before = {folder: snapshot(folder) for place in places for folder in (place.root, place.checkout)}
    for number in range(faults):
        place, kind = every[number % len(every)]
        yield place, kind, inflict(kind, place.root, place.files, np.random.default_rng(number))
        for folder in (place.root, place.checkout):
            restore(folder, before[folder])


def test_verify_names_exactly_the_damaged_files(places: list[Place]) -> None:
    assert not any(place.verify() for place in places)
    for place, kind, wrong in trials(places, 200):
        assert place.verify() == sorted(wrong), f"{kind} in the {place.name}"
    assert not any(place.verify() for place in places)


@pytest.mark.slow
def test_pull_rejects_what_damages_a_result(places: list[Place]) -> None:
    """dvc, with `verify = true`, refuses bad objects; of a listing that it accepts sums tell the files."""
    for place, kind, _ in trials(places[:1], 24):
        try:
            pull(place.checkout)
            assert kind == "extra file" and not verify.check(place.checkout)
        except ValueError:
            assert kind != "extra file"
