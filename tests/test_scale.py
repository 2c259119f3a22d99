"""A copy at another scale is made anew from the checkout: nothing edited in it is lost without a word."""

from pathlib import Path

import pytest

from stages.core.settings.errors import InputError
from stages.files.hashing import hash_files
from stages.scale import refuse_edits

FILES = ["params.yaml", "stages/own.py", "README.md"]


def test_an_edit_in_the_copy_is_refused_and_one_in_the_checkout_is_not(tmp_path: Path) -> None:
    copy = tmp_path / "scales/smoke"
    for folder in (tmp_path, copy):
        for file in FILES:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text("one")
    brought = hash_files(copy, FILES)
    refuse_edits(tmp_path, copy, brought)
    (copy / "README.md").write_text("the report writes its table")
    (tmp_path / "params.yaml").write_text("two")
    refuse_edits(tmp_path, copy, brought)
    (copy / "params.yaml").write_text("two")  # an interrupted copy
    refuse_edits(tmp_path, copy, brought)
    (copy / "stages/own.py").write_text("two")
    with pytest.raises(
        InputError, match=r"scales/smoke/stages/own.py was edited, but .* from stages/own.py; edit"
    ):
        refuse_edits(tmp_path, copy, brought)
