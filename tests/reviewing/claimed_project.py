"""A project whose tables follow from its scores, and what is printed once something is edited."""

from pathlib import Path

import pytest
from reported_project import make_project

from stages.reporting import readme
from stages.reporting.sections import folder_of, read_section
from stages.reviewing.claims import claims

SIGMA = Path("reports/studies/sigma")
SAYS = "Small is better."


def make_claims(folder: Path) -> Path:
    root = make_project(folder, SAYS)
    sections = [read_section(root, name, folder_of(name)) for name in ("sigma", "published")]
    readme.insert_block(root, readme.write_block(root, sections, ""))
    return root


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def lines_of(project: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines that are printed if something differs."""
    with pytest.raises(ValueError, match="not follow from the committed scores"):
        claims(project)
    return capsys.readouterr().out.splitlines()
