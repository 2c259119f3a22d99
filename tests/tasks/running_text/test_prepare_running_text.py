from pathlib import Path
from typing import Any

import pytest
from changed_params import Changes, change_settings
from made_bibles import make_bible

from stages.files.artifacts import read_arrays
from stages.tasks.language.prepare import SOURCE
from stages.tasks.running_text.prepare import make

TITLES = ("Judges", "Daniel", "John", "1 Samuel", "Ezekiel", "Acts")  # held out
# of 40 words each, in verses of one to four; Ruth alone is trained on
BOOKS = {title: [" ".join([title.split()[-1]] * length) for length in [1, 2, 3, 4] * 4] for title in TITLES}
BOOKS["Ruth"] = ["a b a", "b a b", "a", "b a b c"]


def prepare(root: Path, sizes: Changes, **changes: Any) -> dict[str, Any]:
    (root / SOURCE).parent.mkdir(parents=True, exist_ok=True)
    (root / SOURCE).write_text(make_bible(BOOKS), encoding="utf-8")
    usual = {"vocabulary": 2, "tokens": 4, "longest_windows": 99}
    usual |= {f"{split}_windows": 99 for split in ("train", "test", "validation")}
    values = {f"running_text.{key}": value for key, value in changes.items()}
    make(change_settings({"scales.smoke.running_text.data": usual | sizes, **values}), root, root / "made")
    return read_arrays(root / "made")


def test_windows_go_on_across_verses_and_never_across_books(tmp_path: Path) -> None:
    arrays = prepare(tmp_path, {})
    assert arrays["words"].tolist() == ["a", "b"]  # "c" comes once
    assert arrays["train_windows"].tolist() == [[1, 2, 1, 2]] * 2  # of 11 words, the rest is left out
    assert arrays["test_windows"].shape == (3 * 10, 4) and (arrays["test_windows"] == 3).all()
    assert arrays["longest_windows"].shape == (3 * 3, 32)  # from words 0, 4 and 8 of 40 on
    assert prepare(tmp_path, {"vocabulary": 3})["validation_windows"].min() == 4
    assert len(prepare(tmp_path, {"longest_windows": 5})["longest_windows"]) == 5


@pytest.mark.parametrize(
    ("sizes", "changes", "message"),
    [
        ({}, {"test_books": ["Judge"]}, "^running_text.test_books: 'Judge' given, expected Judges; correct"),
        (
            {},
            {"test_books": ["Ruth", *TITLES[:3]]},
            "^running_text: all books are held out, expected",
        ),
        (
            {"tokens": 6},
            {},
            "running_text.data.tokens: 6 given, but no book has 48 words for longest_windows;",
        ),
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, sizes: Changes, changes: Changes, message: str) -> None:
    with pytest.raises(ValueError, match=rf"{message}[^\n]*$"):
        prepare(tmp_path, sizes, **changes)
