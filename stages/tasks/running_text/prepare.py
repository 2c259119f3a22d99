"""Windows of consecutive words as codes, across verses and never across books.

It writes windows.npz. `<split>_windows` [N, n]: codes 1..vocabulary of the commonest words of training books,
one more for all others. `longest_windows` [M, 8 n] are of validation books. `words`: what the codes from 1
stand for.
"""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.parameters.params import Params
from stages.tasks.language.books import choose_titles, encode, rank_words, space_evenly
from stages.tasks.language.prepare import SOURCE
from stages.tasks.language.verses import Verses, read_books
from stages.tasks.running_text.facts import LONGEST, TIMES, Data, Settings


def make(settings: Params, root: Path, target: Path) -> None:
    """Write the arrays of every split to the folder `target`; print how many windows they have."""
    text, data = settings.section("running_text", Settings), settings.data("running_text", Data)
    verses = read_books(artifacts.require(root / SOURCE, "stages fetch language"))
    held_out = {"test": text.test_books, "validation": text.validation_books}
    titles = choose_titles(verses, held_out, "running_text")
    books = {
        split: [[*chain.from_iterable(verses[name])] for name in names] for split, names in titles.items()
    }
    words = rank_words(books["train"], data.vocabulary)
    n, longest = data.tokens, TIMES[-1] * data.tokens
    wanted = {
        "train_windows": (books["train"], n, data.train_windows),
        "test_windows": (books["test"], n, data.test_windows),
        "validation_windows": (books["validation"], n, data.validation_windows),
        LONGEST: (books["validation"], longest, data.longest_windows),
    }
    arrays: artifacts.Arrays = {"words": np.array(words)}
    for name, (of_split, length, most) in wanted.items():
        windows = space_evenly(cut_windows(of_split, length, n), most)
        if not windows:
            raise InputError(
                f"scales.{settings.scale}.running_text.data.tokens: {n} given, but no book has {length} "
                f"words for {name}; lower it"
            )
        arrays[name] = encode(windows, words, length, length)
    artifacts.write_arrays(target / "windows.npz", arrays)
    counts = ", ".join(f"{len(arrays[name])} {name.removesuffix('_windows')}" for name in wanted)
    print(f"{target}: {counts} windows")


def cut_windows(books: Sequence[list[str]], length: int, step: int) -> Verses:
    """Cut books into windows of that many words, of which each starts `step` words after the last."""
    return [
        book[start : start + length] for book in books for start in range(0, len(book) - length + 1, step)
    ]
