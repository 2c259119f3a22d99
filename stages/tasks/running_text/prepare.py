"""Windows of consecutive words as codes, across verses and never across books.

It writes windows.npz. `<split>_windows` [N, n]: codes 1..vocabulary of the commonest words of training books,
one more for all others. `longest_windows` [M, 8 n] are of validation books. `words`: what the codes from 1
stand for.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from stages.core.settings.errors import InputError, one_of
from stages.files import artifacts
from stages.parameters.params import Params
from stages.tasks.language.prepare import SOURCE, encode, space_evenly
from stages.tasks.language.verses import Verses, read_books
from stages.tasks.running_text.facts import LONGEST, TIMES, Data, Settings


def make(settings: Params, root: Path, target: Path) -> None:
    """Write the arrays of every split to the folder `target`; print how many windows they have."""
    text, data = settings.section("running_text", Settings), settings.data("running_text", Data)
    books = split_books(read_books(artifacts.require(root / SOURCE, "stages fetch language")), text)
    counted = Counter(word for book in books["train"] for word in book)
    words = [word for word, _ in counted.most_common(data.vocabulary)]
    codes = {word: code for code, word in enumerate(words, 1)}
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
        arrays[name] = encode(windows, codes, length, length)
    artifacts.write_arrays(target / "windows.npz", arrays)
    counts = ", ".join(f"{len(arrays[name])} {name.removesuffix('_windows')}" for name in wanted)
    print(f"{target}: {counts} windows")


def split_books(books: Mapping[str, Verses], text: Settings) -> dict[str, Verses]:
    """Split books, each as one list of words, by what they are read for.

    Raises InputError for an unknown book, or where none is left to train on.
    """
    held_out = {"test": text.test_books, "validation": text.validation_books}
    for split, titles in held_out.items():
        for title in titles:
            if title not in books:
                known = one_of(title, books)
                raise InputError(
                    f"running_text.{split}_books: '{title}' given, expected {known}; correct the title"
                )
    others = [title for title in books if title not in {*text.test_books, *text.validation_books}]
    if not others:
        raise InputError(
            "running_text: all books are held out, expected one or more to train on; hold out fewer"
        )
    of_split = {"train": others, **held_out}
    return {
        split: [[word for verse in books[title] for word in verse] for title in titles]
        for split, titles in of_split.items()
    }


def cut_windows(books: Sequence[list[str]], length: int, step: int) -> Verses:
    """Cut books into windows of that many words, of which each starts `step` words after the last."""
    return [
        book[start : start + length] for book in books for start in range(0, len(book) - length + 1, step)
    ]
