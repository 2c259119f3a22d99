from pathlib import Path

import pytest

from stages.files.hashing import hash_file, hash_files, list_files

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2, appendix B.1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b/c", "a", "__pycache__/m.pyc", ".b.checkpoint.part", "b/.d.part/e", ".hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"abc")
    return tmp_path


def test_files_without_leftovers(folder: Path) -> None:
    assert list(list_files(folder)) == [folder / name for name in (".hidden", "a", "b/c")]
    assert list(list_files(folder / "a")) == [folder / "a"]
    assert list(list_files(folder / "none")) == []


def test_hashes_of_those_that_can_be_read(folder: Path) -> None:
    assert hash_file(folder / "a") == ABC
    assert hash_files(folder, ["a", "b", "b/c", "none"]) == {"a": ABC, "b/c": ABC}
    assert hash_files(folder, ["a"], "md5") == {"a": "900150983cd24fb0d6963f7d28e17f72"}  # RFC 1321
    with pytest.raises(OSError):
        hash_file(folder / "none")
