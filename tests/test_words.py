"""Docstrings begin with a verb, and sentences are short."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from stages.cells.code import ROOT
from stages.parameters.yaml_text import parse
from stages.studies.schema import list_studies

LATE = r"(Of|By|What|Whether|Where)\b"  # beginnings after which the verb comes late, if at all
MOST_WORDS = 25
FILES = sorted((ROOT / "stages").rglob("*.py"))


def list_docstrings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def list_late(path: Path) -> list[str]:
    return [text for text in list_docstrings(path) if re.match(LATE, text)]


def list_long(text: str) -> list[str]:
    """List the sentences that have too many words; a colon or a semicolon ends one too."""
    return [part for part in re.split(r"(?<=[.?!:;])\s", text) if len(part.split()) > MOST_WORDS]


def list_prose(page: str) -> list[str]:
    """List the paragraphs and items of a page in Markdown, without code, tables and the ends of links."""
    prose = re.sub(r"^```.*?^```|<!--.*?-->", "", page, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^\|.*$|\]\([^)]*\)", "", prose, flags=re.MULTILINE)
    return re.split(r"\n\s*\n|\n\s*[-*] |\n\s*\d+\. ", prose)


def test_docstrings_say_first_what_is_done() -> None:
    assert not [(path.name, text) for path in FILES for text in list_late(path)]


def test_sentences_are_short() -> None:
    texts = list_prose((ROOT / "README.md").read_text(encoding="utf-8"))
    for study in list_studies(ROOT):
        texts.append(parse((ROOT / f"studies/{study}.yaml").read_text(encoding="utf-8")).get("answer", ""))
    assert not [part for text in texts for part in list_long(text)]


def test_late_verbs_and_long_sentences_are_found(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(
        'def one() -> None:\n    """Of a, the first."""\n\n\ndef two() -> None:\n    """Offer."""\n'
    )
    assert list_late(path) == ["Of a, the first."]
    long = "word " * MOST_WORDS
    assert list_long(f"Short. {long}more.") == [f"{long}more."] and not list_long(f"{long.strip()}; {long}")
    page = f"Text [here](a.md).\n\n```\n{long}\n```\n\n| {long} |\n\n- one\n- two"
    assert [text.strip(" -\n") for text in list_prose(page) if text.strip()] == ["Text [here.", "one", "two"]
