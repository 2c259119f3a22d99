from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changed_params import Changes, change_settings
from made_bibles import make_bible

from stages.files.artifacts import read_arrays
from stages.tasks.language.books import space_evenly
from stages.tasks.language.facts import hide_words
from stages.tasks.language.prepare import SOURCE, make

TITLES = ("Ruth", "Job", "Judges", "Daniel", "John", "1 Samuel", "Ezekiel", "Acts")
HELD_OUT = {"test": TITLES[2:5], "validation": TITLES[5:]}
# each word says its book, so that splits show theirs: "ruth the the the the the", with up to five of them
BOOKS = {title: [" ".join([title.split()[-1], *["the"] * n]) for n in range(6)] for title in TITLES}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / SOURCE).parent.mkdir(parents=True)
    (tmp_path / SOURCE).write_text(make_bible(BOOKS), encoding="utf-8")
    return tmp_path


def prepare(root: Path, changes: Changes) -> dict[str, Any]:
    sizes = {"vocabulary": 3, "words": 4, "tokens": 4, "train_verses": 99}
    sizes |= {"test_verses": 99, "validation_verses": 4} | changes.pop("sizes", {})
    make(change_settings({"scales.smoke.language.data": sizes, **changes}), root, root / "made")
    return read_arrays(root / "made")


def test_no_book_is_in_two_splits_and_codes_are_those_of_training(root: Path) -> None:
    arrays = prepare(root, {})
    assert arrays["words"].tolist() == ["the", "ruth", "job"]
    assert np.unique(arrays["train_verses"]).tolist() == [0, 1, 2, 3]
    for split in ("test", "validation"):  # no word of other books, but for all that have no code
        assert np.unique(arrays[f"{split}_verses"]).tolist() == [0, 1, 4]
    counts = {split: len(arrays[f"{split}_verses"]) for split in ("train", "test", "validation")}
    assert counts == {"train": 12, "test": 18, "validation": 4}
    assert arrays["train_verses"][:6].tolist() == [
        [2, 0, 0, 0], [2, 1, 0, 0], [2, 1, 1, 0], *[[2, 1, 1, 1]] * 3,
    ]  # fmt: skip


def test_longer_verses_are_those_that_training_cuts(root: Path) -> None:
    arrays = prepare(root, {"sizes": {"tokens": 5, "validation_verses": 99}})
    assert arrays["train_verses"][:, 4].max() == 0
    assert (arrays["longer_verses"] > 0).all() and len(arrays["longer_verses"]) == 2 * 3
    assert "longer_verses" not in prepare(root, {})


def test_all_words_are_asked_from_left_to_right_and_a_share_of_blanks(root: Path) -> None:
    changes = {"language.objective": "left_to_right"}
    arrays = prepare(root, changes)
    assert np.array_equal(arrays["test_asked"], arrays["test_verses"] > 0)
    blanks = prepare(root, {"language.mask_fraction": 0.5})
    assert np.array_equal(blanks["test_asked"], prepare(root, {"language.mask_fraction": 0.5})["test_asked"])
    lengths = (blanks["test_verses"] > 0).sum(axis=1)
    assert blanks["test_asked"].sum(axis=1).tolist() == np.maximum(np.rint(lengths / 2), 1).tolist()
    assert not (blanks["test_asked"] & (blanks["test_verses"] == 0)).any()


def test_every_word_of_a_verse_is_hidden_as_often() -> None:
    present = np.tile(np.arange(6) < 4, (20_000, 1))
    shares = hide_words(present, 0.5, np.random.default_rng(0)).mean(axis=0)
    np.testing.assert_allclose(shares, [0.5] * 4 + [0] * 2, atol=0.02)


def test_verses_are_spaced_evenly() -> None:
    verses = [[str(number)] for number in range(10)]
    assert space_evenly(verses, 5) == verses[::2] and space_evenly(verses, 99) == verses


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"language.test_books": ["Judge"]},
            r"^language.test_books: 'Judge' given, expected Judges; correct",
        ),
        (
            {"language.test_books": list(TITLES[:5])},
            "^language: all books are held out, expected one or more",
        ),
    ],
)
def test_mistaken_books_are_one_line(root: Path, changes: Changes, message: str) -> None:
    with pytest.raises(ValueError, match=rf"{message}[^\n]*$"):
        prepare(root, changes)


def test_a_missing_text_names_the_stage_that_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="bible.txt not found; .*stages fetch language"):
        prepare(tmp_path, {})


def test_verses_that_stand_in_training_are_counted(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prepare(root, {})
    assert "word for word" not in capsys.readouterr().out
    copied = BOOKS | {"Acts": BOOKS["Ruth"], "John": BOOKS["Job"][:2]}
    (root / SOURCE).write_text(make_bible(copied), encoding="utf-8")
    prepare(root, {"sizes": {"validation_verses": 99}})
    said = capsys.readouterr().out
    assert "2 of the 14 test verses are train verses, word for word\n" in said
    assert "6 of the 18 validation verses are train verses, word for word\n" in said
