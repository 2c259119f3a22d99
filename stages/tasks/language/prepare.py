"""Verses as codes of words, split by book, and which words are asked for in the end.

It writes verses.npz. `<split>_verses` [N, n]: codes 1..vocabulary of the commonest words of training books,
one more for all others, and 0 where a verse has ended. `<split>_asked` [N, n]: True for words that are
predicted when the split is evaluated. `words`: what the codes from 1 stand for. Splits are train, test,
validation and, with more tokens than words, `longer`: verses of validation books that have more words than
training shows.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from stages.core.randomness.masks import check_share
from stages.core.randomness.streams import generator
from stages.files import artifacts
from stages.parameters.params import Params
from stages.tasks.language.books import choose_titles, encode, rank_words, space_evenly
from stages.tasks.language.facts import Data, Settings, hide_words
from stages.tasks.language.verses import read_books

SOURCE = Path("data/raw/language/bible.txt")


def make(settings: Params, root: Path, target: Path) -> None:
    """Write the arrays of every split to the folder `target`; print how many verses they have."""
    language, data = settings.section("language", Settings), settings.data("language", Data)
    if language.objective == "blanks":
        check_share("language.mask_fraction", language.mask_fraction, data.words)
    books = read_books(artifacts.require(root / SOURCE, "stages fetch language"))
    held_out = {"test": language.test_books, "validation": language.validation_books}
    titles = choose_titles(books, held_out, "language")
    verses = {split: [verse for title in names for verse in books[title]] for split, names in titles.items()}
    words = rank_words(verses["train"], data.vocabulary)
    arrays: artifacts.Arrays = {"words": np.array(words)}
    sizes = {"train": data.train_verses, "test": data.test_verses, "validation": data.validation_verses}
    chosen = {split: (space_evenly(verses[split], size), data.words) for split, size in sizes.items()}
    if data.tokens > data.words:
        long = [verse for verse in verses["validation"] if len(verse) > data.words]
        chosen["longer"] = space_evenly(long, data.validation_verses), data.tokens
    for split, (of_split, most) in chosen.items():
        arrays[f"{split}_verses"] = encode(of_split, words, most, data.tokens)
        arrays[f"{split}_asked"] = arrays[f"{split}_verses"] > 0
        if language.objective == "blanks":
            random = generator(settings.seed, "language", split, "masks")
            arrays[f"{split}_asked"] = hide_words(arrays[f"{split}_asked"], language.mask_fraction, random)
    artifacts.write_arrays(target / "verses.npz", arrays)
    counts = ", ".join(f"{len(of_split)} {split}" for split, (of_split, _) in chosen.items())
    print(f"{target}: {counts} verses")
    tell_repeated({split: of_split for split, (of_split, _) in chosen.items()})


def tell_repeated(verses: Mapping[str, Sequence[Sequence[str]]]) -> None:
    """Print how many test and validation verses are training verses, word for word."""
    known = set(map(tuple, verses["train"]))
    for split in ("test", "validation"):
        if repeated := sum(tuple(verse) in known for verse in verses[split]):
            print(f"{repeated} of the {len(verses[split])} {split} verses are train verses, word for word")
