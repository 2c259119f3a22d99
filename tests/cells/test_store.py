import os
from pathlib import Path

import pytest
from filelock import Timeout

from stages.cells.store import UNUSED_DAYS, Store, drop_damaged, link_cell
from stages.files.hashing import hash_file
from stages.files.sums import is_whole
from stages.running.cache import place


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store of one cell, `a`."""
    store = Store(tmp_path / "cells")
    with store.make("a") as folder:
        (folder / "weights").write_bytes(b"1 2 3")
        (folder / "history").write_bytes(b"")
    return store


def test_what_was_made_is_found(store: Store) -> None:
    found = store.find("a")
    assert found is not None and (found / "weights").read_bytes() == b"1 2 3" and is_whole(found)
    assert store.find("b") is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *((name, b"9 2 3") for name in ("weights", "SHA256SUMS", "another")),
        *((name, None) for name in ("weights", "history", "SHA256SUMS")),
    ],
)
def test_what_was_altered_added_to_or_lost_a_file_is_thrown_away(
    store: Store, name: str, content: bytes | None
) -> None:
    path = store.folder / "a" / name
    path.unlink(missing_ok=True)
    if content:
        path.write_bytes(content)
    assert not is_whole(path.parent) and store.find("a") is None and not path.parent.exists()


def test_nothing_is_left_of_a_cell_that_failed(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.make("b") as folder:
        (folder / "weights").write_bytes(b"1")
        raise ZeroDivisionError
    assert [path.name for path in store.folder.iterdir()] == ["a"]


def test_one_run_at_a_time_holds_the_lock_of_a_cell(store: Store) -> None:
    with store.lock("a"), store.lock("b"), pytest.raises(Timeout):
        store.lock("a").acquire(blocking=False)
    store.lock("a").acquire(blocking=False).lock.release()


def test_what_nobody_used_for_long_is_deleted(store: Store) -> None:
    store.made_by("a").touch()
    store.checkpoint("b").touch()
    old = store.folder.stat().st_mtime - (UNUSED_DAYS + 1) * 24 * 3600
    for path in store.folder.iterdir():
        os.utime(path, (old, old))
    store.find("a")  # which is a use of the cell
    store.prune()
    assert [path.name for path in store.folder.iterdir()] == ["a"]
    Store(store.folder / "none").prune()


@pytest.mark.parametrize("links", [True, False])
def test_a_study_has_links_or_copies_where_there_are_none(
    store: Store, links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Path) -> None:
        raise OSError("another file system")

    if not links:
        monkeypatch.setattr("os.link", fail)
    (tmp_path / "study/old").mkdir(parents=True)
    for _ in range(2):  # also over what lies there
        link_cell(store.folder / "a", tmp_path / "study")
    assert is_whole(tmp_path / "study")
    both = [folder / "weights" for folder in (store.folder / "a", tmp_path / "study")]
    assert (both[0].stat().st_ino == both[1].stat().st_ino) == links


def test_objects_of_dvc_that_are_not_what_their_names_say_are_deleted(store: Store, tmp_path: Path) -> None:
    made = store.folder / "a"
    objects = [tmp_path / place(hash_file(made / name, "md5")) for name in ("weights", "SHA256SUMS")]
    for found, content in zip(objects, [b"1 2 3", b"0"], strict=True):
        found.parent.mkdir(parents=True)
        found.write_bytes(content)
        found.chmod(0o444)
    drop_damaged(tmp_path, made)  # which holds nothing of the third file
    assert [found.exists() for found in objects] == [True, False]
