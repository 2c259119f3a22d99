import shutil
from pathlib import Path

import pytest
from commands import list_own

from stages import catalogue
from stages.cells.code import ROOT
from stages.core.encodings import alibi
from stages.core.encodings.lookup.resolve import schemes
from stages.core.settings.errors import InputError

README = ROOT / catalogue.README


def test_readme_is_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    readme = README.read_text(encoding="utf-8")
    if readme == catalogue.fill_tables(readme):
        return
    own = [scheme for scheme in schemes() if f"stages/core/encodings/{scheme}.py" in list_own()]
    monkeypatch.setattr(catalogue, "schemes", lambda: own)  # without a user's, not in it yet
    assert readme == catalogue.fill_tables(readme), "run python -m stages catalogue"


@pytest.mark.parametrize(
    "doc",
    [
        *(None, "A thing.", "A thing.\n\nSource: nobody", "A thing.\n\nSource: us.\n\nMore."),
        f"{'long ' * 30}.\n\nSource: us.",
    ],
)
def test_a_docstring_without_what_the_table_shows_leaves_readme_as_it_is(
    doc: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(alibi, "__doc__", doc)
    page = tmp_path / catalogue.README
    page.parent.mkdir(parents=True)
    shutil.copy(README, page)
    with pytest.raises(InputError, match=r"alibi.py: expected a docstring with a first line .*; write both"):
        catalogue.write_readme(tmp_path)
    assert page.read_bytes() == README.read_bytes()


def test_rows_are_put_below_their_header_alone() -> None:
    page = "Text.\n\n| A | B |\n| --- | --- |\n| old | row |\n| old | row |\n\n| A |\n| --- |\n| kept |\n"
    expected = "Text.\n\n| A | B |\n| --- | --- |\n| new \\| | row |\n\n| A |\n| --- |\n| kept |\n"
    assert catalogue.fill_table(page, "| A | B |", [catalogue.row("new |", "row")]) == expected
    with pytest.raises(InputError, match=r"no table below the line \| C \|, expected one; put both there"):
        catalogue.fill_table(page, "| C |", [])
