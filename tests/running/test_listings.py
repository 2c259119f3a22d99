"""Folder listings that are not what their name says, or that lead out of their folder: none is read."""

import hashlib
import json

import pytest

from stages.running.listings import ListingError, is_inside, read_listing

MD5 = "0" * 32


def listing(*paths: str, md5: str = MD5) -> tuple[str, bytes]:
    """Return a listing of these paths, under the name that its bytes have."""
    content = json.dumps([{"md5": md5, "relpath": path} for path in paths]).encode()
    return f"{hashlib.md5(content).hexdigest()}.dir", content


OUTSIDE = (
    *("/etc/x", "../x", "a/../../x", "..", "a/..", "./a", "a//b", "", "a/", "a\0b"),
    *("a\\..\\..\\x", "..\\x", "C:x", "C:/x", "a/C:x", "\\\\host\\share\\x", ".. /x", "a/... /x"),
)


@pytest.mark.parametrize("path", OUTSIDE)
def test_paths_that_lead_out_of_a_folder_somewhere(path: str) -> None:
    assert not is_inside(path)
    with pytest.raises(ListingError, match="expected new paths inside the folder"):
        read_listing(*listing("a.csv", path))


@pytest.mark.parametrize("path", ["a", "a/b.csv", "..a/b..", ".hidden", "sub-01_run:2.csv", "a b/ü.npy"])
def test_paths_inside(path: str) -> None:
    assert is_inside(path) and read_listing(*listing(path))[0]["relpath"] == path


@pytest.mark.parametrize("paths", [("a", "a"), ("a", "a/b"), ("a/b", "a")])
def test_a_place_for_two_files(paths: tuple[str, str]) -> None:
    with pytest.raises(ListingError, match="expected new paths"):
        read_listing(*listing(*paths))


@pytest.mark.parametrize("md5", ["../" * 10 + "x", "", "0" * 31, "G" * 32])
def test_an_object_of_no_md5(md5: str) -> None:
    with pytest.raises(ListingError):
        read_listing(*listing("a", md5=md5))


@pytest.mark.parametrize("content", [b"", b"{}x", b"[1]", b'[{"relpath": "a"}]', b'{"a": 1}', b"\xff"])
def test_what_is_no_listing(content: bytes) -> None:
    with pytest.raises(ListingError, match="cannot be read"):
        read_listing(f"{hashlib.md5(content).hexdigest()}.dir", content)


def test_other_bytes_than_those_of_its_name() -> None:
    name, content = listing("a")
    with pytest.raises(ListingError, match="was altered"):
        read_listing(name, content + b" ")
