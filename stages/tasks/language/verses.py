"""Verses of a Bible as its package holds it: a text, and two tables of where each verse starts and ends.

A line of the tables is `        1001002: 58,`: book 1, chapter 1, verse 2, and a place in the text. Titles
of the books follow them, a line `        Book.GENESIS: "Genesis",` each. All is read as text.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from stages.core.settings.errors import InputError

QUOTES = '"""'  # around the text
PLACE = re.compile(r"^ {8}(\d{7,8}): (\d+),$", re.MULTILINE)
TITLE = re.compile(r'^ {8}Book\.\w+: "(.+)",$', re.MULTILINE)
WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*")
OF_BOOK = 10**6  # a verse's number over this is its book's, from 1

Verses = list[list[str]]


def read_books(path: Path) -> dict[str, Verses]:
    """Read words, in lower case, of each verse of each book, in the order of the text.

    Raises InputError for a file of another kind, or without verses.
    """
    content = path.read_text(encoding="utf-8", errors="replace")
    _, *inside = content.split(QUOTES)
    text, tables = inside if len(inside) == 2 else ("", "")
    places = find_places(tables)
    titles = list(dict.fromkeys(TITLE.findall(tables)))
    if not places or max(places) // OF_BOOK > len(titles):
        raise InputError(
            f"{path}: {len(places)} verses of {len(titles)} books found, expected a text with a table of its "
            "verses and titles of its books; fetch it again with `python -m stages fetch language`"
        )
    books: dict[str, Verses] = {}
    for number, (start, end) in sorted(places.items()):
        words = WORD.findall(text[start:end].lower())
        if words:
            books.setdefault(titles[number // OF_BOOK - 1], []).append(words)
    return books


def find_places(tables: str) -> Mapping[int, tuple[int, int]]:
    """Start and end in the text of each verse that has both, by its number."""
    found: dict[int, list[int]] = {}
    for number, place in PLACE.findall(tables):
        found.setdefault(int(number), []).append(int(place))
    return {number: (pair[0], pair[1]) for number, pair in found.items() if len(pair) == 2}
