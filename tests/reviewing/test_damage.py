"""Single faults in a workspace and in a remote: verify names each, and pull rejects those of a result."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from published_project import Published, Snapshot, clone, snapshot

from stages.core.settings.errors import InputError
from stages.reviewing.pull import pull
from stages.reviewing.sums import find_faults, read_sums

KINDS = ("bit flip", "truncation", "swap", "deletion", "extra file")


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
        case _:  # an altered .dir
            wrong = {one: alter_listing(content, random)}
    for name, changed in wrong.items():
        write(root / name, changed, mode)
    return {name for name, changed in wrong.items() if name not in files or changed != files[name][0]}


def alter_listing(content: bytes, random: np.random.Generator) -> bytes:
    """Leave a file of the folder out, rename it or exchange it: still a readable listing."""
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


@pytest.fixture
def pulled(checkout: Path) -> Path:
    pull(checkout)
    return checkout


def test_verify_names_exactly_the_damaged_files(pulled: Path) -> None:
    before = snapshot(pulled)
    files = {path: before[path] for path in read_sums(pulled)}
    for number in range(100):
        kind = KINDS[number % len(KINDS)]
        wrong = inflict(kind, pulled, files, np.random.default_rng(number))
        named = [fault.path for fault in find_faults(pulled)]
        assert named == sorted(wrong & files.keys()), f"{kind}, {number}"
        restore(pulled, before)
    assert find_faults(pulled) == []


@pytest.mark.slow
@pytest.mark.parametrize("faults", [6, pytest.param(24, marks=pytest.mark.thorough)])
def test_pull_rejects_what_damages_a_result(faults: int, published: Published, tmp_path: Path) -> None:
    """dvc, with `verify = true`, refuses bad objects; of a listing that it accepts sums tell the files."""
    remote = Path(shutil.copytree(published.remote, tmp_path / "remote"))
    checkout = clone(Published(published.project, remote), tmp_path / "clone")
    before = {folder: snapshot(folder) for folder in (remote, checkout)}
    kinds = (*KINDS, "altered .dir")
    for number in range(faults):
        kind = kinds[number % len(kinds)]
        wrong = inflict(kind, remote, before[remote], np.random.default_rng(number))
        if kind == "extra file" or not wrong:  # a listing of one file has no other object to name
            pull(checkout)
        else:
            with pytest.raises(InputError):
                pull(checkout)
        for folder in (remote, checkout):
            restore(folder, before[folder])
