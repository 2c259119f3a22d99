"""Scores are of what studies declare now: each setting, seed and row that is not is named."""

from pathlib import Path

import pytest
from claimed_project import SIGMA, lines_of, make_claims, replace

from stages.conclude import conclude
from stages.core.settings.errors import InputError
from stages.reviewing.claims import claims
from stages.studies.judging.hold_scores import find_strays
from stages.studies.planning.declare import write_declared
from stages.studies.planning.load import load_study
from stages.studies.tables import read_table


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_claims(tmp_path)


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
