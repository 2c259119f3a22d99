"""Claims are compared with committed scores: every kind of change is named."""

import shutil
import sys
from pathlib import Path

import pytest
from claimed_project import SAYS, SIGMA, lines_of, make_claims, replace
from commands import attempt
from published_project import ROOT, git

from stages.conclude import conclude
from stages.core.settings.errors import InputError
from stages.reporting import readme
from stages.reviewing.claims import claims


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_claims(tmp_path)


def test_claims_that_follow_from_the_scores_are_the_same(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    claims(project)
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before
    said = capsys.readouterr().out.splitlines()
    assert f"same     {SAYS} (sigma, better)" in said
    assert "3 of 3 other claims, tables and pages are the same" in said
    assert "not run, so its claims cannot be checked: published" in said


def test_a_score_that_was_changed_moves_numbers_of_its_claim(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replace(project / SIGMA / "scores.csv", "validation,accuracy,0.95", "validation,accuracy,0.9501")
    said = lines_of(project, capsys)
    at = said.index(f"DIFFERS  {SAYS} (sigma, better)")
    assert said[at + 1] == f"{'':9}mean_a: committed 0.95; here 0.950033333"
    assert "DIFFERS  Its differences. (sigma, differences.csv)" in said


def test_a_verdict_that_was_changed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace(project / SIGMA / "verdicts.csv", "not run", "holds")
    said = lines_of(project, capsys)
    at = said.index("DIFFERS  Not asked. (sigma, unasked)")
    assert said[at + 1] == f"{'':9}verdict: committed holds; here not run"


def test_a_sentence_that_was_changed_in_the_readme(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace(project / "README.md", SAYS, "Small is always better.")
    said = lines_of(project, capsys)
    at = said.index("DIFFERS  Its tables. (README.md)")
    assert said[at + 1].startswith(f"{'':9}- | Small is always better. | holds")
    assert said[at + 2].startswith(f"{'':9}+ | {SAYS} | holds")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| `sigma` |", "| `other` |"),
        (readme.HEADER, f"> All is sure.\n\n{readme.HEADER}"),
    ],
    ids=["a study", "a banner"],
)
def test_whatever_else_was_changed_in_the_readme(
    old: str, new: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replace(project / "README.md", old, new)
    assert "DIFFERS  Its tables. (README.md)" in lines_of(project, capsys)


def test_a_sentence_that_was_changed_in_its_study(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace(project / "studies/sigma.yaml", SAYS, "Large is better.")
    said = lines_of(project, capsys)
    at = said.index("DIFFERS  Large is better. (sigma, better)")
    assert said[at + 1] == f"{'':9}says: committed {SAYS}; here Large is better."


def test_without_its_scores_no_claim_is_the_same(project: Path) -> None:
    git(project, "init", "-q")
    git(project, "add", ".")
    (project / SIGMA / "scores.csv").unlink()  # as in a sparse checkout
    with pytest.raises(ValueError, match=f"{SIGMA}/scores.csv, one of 1, is in git and not here"):
        claims(project)
    shutil.rmtree(project / "reports")
    with pytest.raises(ValueError, match=f"{SIGMA}/.* is in git and not here"):
        claims(project)
    shutil.rmtree(project / ".git")
    with pytest.raises(ValueError, match="no study has scores in reports/studies"):
        claims(project)


def test_a_claim_that_is_no_older_than_its_scores_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims(project)
    assert "git's history is missing" in capsys.readouterr().out
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-qm", "A study and its scores at once")
    said = lines_of(project, capsys)
    at = said.index(f"DIFFERS  {SAYS} (sigma, better)")
    assert said[at + 1].startswith(f"{'':9}stated: before; but scores came with ")


def test_verdicts_without_scores_are_not_the_same(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Here those of a study that did not run."""
    folder = project / "reports/studies/published"
    folder.mkdir()
    shutil.copy(project / SIGMA / "verdicts.csv", folder)
    said = lines_of(project, capsys)
    at = said.index("DIFFERS  Its tables. (published)")
    assert said[at + 1] == f"{'':9}verdicts alone, expected scores, differences, verdicts"


def test_neither_torch_nor_a_picture_is_needed() -> None:
    code = "import sys, stages.reviewing.claims; print(*sys.modules)"
    loaded = attempt(ROOT, sys.executable, "-c", code).stdout.split()
    assert "stages.studies.judging.judge" in loaded and not {"torch", "matplotlib", "dvc"} & set(loaded)


def test_claims_that_tables_have_and_studies_do_not(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replace(project / SIGMA / "verdicts.csv", "unasked", "unknown")
    row = "| Large is best. | holds |  | sigma |\n"
    replace(project / "README.md", readme.HEADER, readme.HEADER + row)
    said = "\n".join(lines_of(project, capsys))
    assert "rows: committed 0; here 1" in said and "(sigma, unknown)" in said
    assert f"{'':9}- {row.strip()}" in said


def test_a_damaged_table_is_one_line(project: Path) -> None:
    replace(project / SIGMA / "scores.csv", "accuracy,0.95", 'accuracy,"0,95"')
    said = "scores.csv, row 3: value '0,95' given, expected a number"
    with pytest.raises(InputError, match=said):
        claims(project)
    with pytest.raises(InputError, match=said):
        conclude(project, "sigma")
