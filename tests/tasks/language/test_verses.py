from pathlib import Path

import pytest
from made_bibles import make_bible

from stages.tasks.language.verses import read_books

BOOKS = {"Genesis": ["In the [old] days.", "And Noah’s sons"], "1 Samuel": ["Now—there was", "12"]}


def test_words_are_lower_case_and_stand_by_book_and_verse(tmp_path: Path) -> None:
    (tmp_path / "bible.txt").write_text(make_bible(BOOKS), encoding="utf-8")
    assert read_books(tmp_path / "bible.txt") == {
        "Genesis": [["in", "the", "old", "days"], ["and", "noah’s", "sons"]],
        "1 Samuel": [["now", "there", "was"]],  # a verse without words is none
    }


@pytest.mark.parametrize(
    "content",
    ["", "no verses", '"""\n1. In the beginning\n"""', make_bible(BOOKS).replace("Book.", "Boök.")],
)
def test_a_text_without_verses_is_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "bible.txt").write_text(content, encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"bible.txt: \d verses of 0 books found, expected [^\n]*fetch it again"
    ):
        read_books(tmp_path / "bible.txt")
