"""Verses as codes of words, split by book, and which words are asked for in the end.

It writes verses.npz. `<split>_verses` [N, n]: codes 1..vocabulary of the commonest words of training books,
one more for all others, and 0 where a verse has ended. `<split>_asked` [N, n]: True for words that are
predicted when the split is evaluated. `words`: what the codes from 1 stand for. Splits are train, test,
validation and, with more tokens than words, `longer`: verses of validation books that have more words than
training shows.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stages.core.randomness.masks import check_share
from stages.core.randomness.streams import generator
from stages.core.settings.errors import InputError, one_of
from stages.files import artifacts
from stages.parameters.params import Params
from stages.tasks.language.facts import Data, Settings, hide_words
from stages.tasks.language.verses import Verses, read_books

SOURCE = Path("data/raw/language/bible.txt")
Codes = NDArray[np.int64]


def make(settings: Params, root: Path, target: Path) -> None:
    """Write the arrays of every split to the folder `target`; print how many verses they have."""
    language, data = settings.section("language", Settings), settings.data("language", Data)
    if language.objective == "blanks":
        check_share("language.mask_fraction", language.mask_fraction, data.words)
    books = read_books(artifacts.require(root / SOURCE, "stages fetch language"))
    verses = split_books(books, language)
    counted = Counter(word for verse in verses["train"] for word in verse)
    words = [word for word, _ in counted.most_common(data.vocabulary)]
    arrays: artifacts.Arrays = {"words": np.array(words)}
    codes = {word: code for code, word in enumerate(words, 1)}
    sizes = {"train": data.train_verses, "test": data.test_verses, "validation": data.validation_verses}
    chosen = {split: (space_evenly(verses[split], size), data.words) for split, size in sizes.items()}
    if data.tokens > data.words:
        long = [verse for verse in verses["validation"] if len(verse) > data.words]
        chosen["longer"] = space_evenly(long, data.validation_verses), data.tokens
    for split, (of_split, most) in chosen.items():
        arrays[f"{split}_verses"] = encode(of_split, codes, most, data.tokens)
        arrays[f"{split}_asked"] = arrays[f"{split}_verses"] > 0
        if language.objective == "blanks":
            random = generator(settings.seed, "language", split, "masks")
            arrays[f"{split}_asked"] = hide_words(arrays[f"{split}_asked"], language.mask_fraction, random)
    artifacts.write_arrays(target / "verses.npz", arrays)
    counts = ", ".join(f"{len(of_split)} {split}" for split, (of_split, _) in chosen.items())
    print(f"{target}: {counts} verses")


def split_books(books: Mapping[str, Verses], language: Settings) -> dict[str, Verses]:
    """Split verses into the training books and those held out. Raises InputError for an unknown book."""
    held_out = {"test": language.test_books, "validation": language.validation_books}
    for split, names in held_out.items():
        for name in names:
            if name not in books:
                known = one_of(name, books)
                raise InputError(
                    f"language.{split}_books: '{name}' given, expected {known}; correct the title"
                )
    others = [name for name in books if not any(name in names for names in held_out.values())]
    if not others:
        raise InputError("language: all books are held out, expected one or more to train on; hold out fewer")
    of_split = {"train": others, **held_out}
    return {split: [verse for name in names for verse in books[name]] for split, names in of_split.items()}


def space_evenly(verses: Verses, most: int) -> Verses:
    """Take at most so many of the verses, from the first on."""
    count = min(len(verses), most)
    return [verses[number * len(verses) // count] for number in range(count)]


def encode(verses: Verses, codes: Mapping[str, int], most: int, n: int) -> Codes:
    """Encode at most the first `most` words of each verse as codes [N, n], 0 behind them."""
    encoded = np.zeros((len(verses), n), np.int64)
    for row, verse in zip(encoded, verses, strict=True):
        known: Sequence[int] = [codes.get(word, len(codes) + 1) for word in verse[:most]]
        row[: len(known)] = known
    return encoded
