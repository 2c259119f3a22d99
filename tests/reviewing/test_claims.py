"""Claims are compared with committed scores: every kind of change is named."""

import shutil
import sys
from pathlib import Path

import pytest
from commands import attempt
from published_project import ROOT, git
from reported_project import make_project

from stages.conclude import conclude
from stages.core.settings.errors import InputError
from stages.reporting import readme
from stages.reporting.sections import folder_of, read_section
from stages.reviewing.claims import claims
from stages.studies.judging.hold_scores import find_strays
from stages.studies.planning.declare import write_declared
from stages.studies.planning.load import load_study
from stages.studies.tables import read_table

SIGMA = Path("reports/studies/sigma")
SAYS = "Small is better."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = make_project(tmp_path, SAYS)
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


OTHER = "grid, learned@0.2 was scored with other settings than are declared now"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("studies/sigma.yaml", "scheme: learned", "scheme: learned\n    dropout: 0.5", OTHER),
        ("studies/sigma.yaml", "tasks:", "set: {training.epochs: 500}\ntasks:", OTHER),
        ("params.yaml", "scale: small", "scale: paper", OTHER),
        ("params.yaml", "min_givens: 3 ", "min_givens: 4 ", OTHER),
        (
            "studies/sigma.yaml",
            "seeds: 3",
            "seeds: 2",
            "grid, learned@0.2 was scored with seed 2, w",
        ),
        ("params.yaml", "pe:\n  scheme: learned", "pe:\n  scheme: none", "grid, focus was scored with other"),
        (
            "studies/sigma.yaml",
            "seeds: 3",
            "seeds: 4",
            "grid, learned@0.2 has no validation/accuracy of seed 3, w",
        ),
        ("studies/sigma.yaml", "focus: true\n", "", "grid, focus is no cell of the study any more"),
    ],
)
def test_scores_of_other_settings_are_named(
    file: str, old: str, new: str, said: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims(project)
    replace(project / file, old, new)
    lines = lines_of(project, capsys)
    at = lines.index("DIFFERS  Its scores are of its cells as they are declared. (sigma, scores.csv)")
    assert lines[at + 1].strip().startswith(said)
    with pytest.raises(InputError, match=f"sigma/scores.csv: {said}.*, one of"):
        conclude(project, "sigma")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("studies/sigma.yaml", "says: Not asked.", "says: Asked."),
        ("studies/sigma.yaml", "  none:\n", "  alibi: {scheme: alibi}\n  none:\n"),
        ("params.yaml", "threads: 1 ", "threads: 2 "),
        ("params.yaml", "noise: 0.8", "noise: 0.9"),  # of no task of the study
        ("params.yaml", "pe:\n  scheme: learned", "pe:\n  scheme: none"),
    ],
)
def test_what_decides_no_score_leaves_them_as_declared(
    file: str, old: str, new: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = project / SIGMA / "scores.csv"
    kept = [line for line in scores.read_text().splitlines(keepends=True) if ",focus," not in line]
    scores.write_text("".join(kept))
    write_declared(project, "sigma")
    replace(project / file, old, new)
    assert find_strays(project, "sigma", load_study(project, "sigma"), read_table(scores)) == []
    assert not capsys.readouterr().out


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (
            ",validation,accuracy,0.95",
            "grid, learned@0.2 has no validation/accuracy of seed 2, which is declared",
        ),
        (",2,", "grid, learned@0.2 has no validation/accuracy of seed 2, which is declared"),
        ("learned,0.2", "grid, learned@0.2 has no scores, but was scored"),
    ],
)
def test_rows_that_were_taken_away_are_named(
    lost: str, said: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = project / SIGMA / "scores.csv"
    kept = [line for line in scores.read_text().splitlines(keepends=True) if lost not in line]
    scores.write_text("".join(kept))
    assert f"{'':9}{said}" in lines_of(project, capsys)


def test_a_seed_that_diverged_has_no_score(project: Path) -> None:
    scores = project / SIGMA / "scores.csv"
    row = "grid,learned,0.2,2,validation,accuracy,0.95"
    replace(scores, row, "grid,learned,0.2,2,train,diverged,1")
    assert find_strays(project, "sigma", load_study(project, "sigma"), read_table(scores)) == []


def test_scores_of_unknown_settings_are_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / SIGMA / "declared.csv").unlink()
    assert f"{'':9}declared.csv beside it is missing" in "\n".join(lines_of(project, capsys))
    with pytest.raises(InputError, match="scores.csv: declared.csv beside it is missing"):
        conclude(project, "sigma")


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
