"""Choose books to train on and to hold out, and words that have a code; encode them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from stages.core.settings.errors import InputError, one_of
from stages.tasks.language.verses import Verses

Codes = NDArray[np.int64]


def choose_titles(
    books: Mapping[str, Verses], held_out: Mapping[str, list[str]], task: str
) -> dict[str, list[str]]:
    """Choose titles of each split: those held out, and all others to train on.

    Raises InputError for an unknown book, or where none is left to train on.
    """
    for split, titles in held_out.items():
        for title in titles:
            if title not in books:
                known = one_of(title, books)
                raise InputError(
                    f"{task}.{split}_books: '{title}' given, expected {known}; correct the title"
                )
    others = [title for title in books if not any(title in titles for titles in held_out.values())]
    if not others:
        raise InputError(f"{task}: all books are held out, expected one or more to train on; hold out fewer")
    return {"train": others, **held_out}


def rank_words(texts: Iterable[Sequence[str]], vocabulary: int) -> list[str]:
    """Rank so many of the commonest words."""
    return [word for word, _ in Counter(chain.from_iterable(texts)).most_common(vocabulary)]


def space_evenly(verses: Verses, most: int) -> Verses:
    """Take at most so many of the verses, from the first on."""
    count = min(len(verses), most)
    return [verses[number * len(verses) // count] for number in range(count)]


def encode(verses: Verses, words: Sequence[str], most: int, n: int) -> Codes:
    """Encode at most the first `most` words of each verse [N, n]: their places among `words` from 1 on.

    All other words have one code more, and places behind a verse 0.
    """
    codes = {word: code for code, word in enumerate(words, 1)}
    encoded = np.zeros((len(verses), n), np.int64)
    for row, verse in zip(encoded, verses, strict=True):
        known = [codes.get(word, len(codes) + 1) for word in verse[:most]]
        row[: len(known)] = known
    return encoded
