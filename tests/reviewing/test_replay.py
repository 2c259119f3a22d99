"""The tiny project replayed: what comes out again, what does not, and what is left untouched."""

import shutil
from pathlib import Path

import pytest
from published_project import commit, git, snapshot

from stages.core.settings.errors import InputError
from stages.reviewing.comparison import Outcome
from stages.reviewing.replay import CLONE, Replayed, replay, tell_machines

SCORES = "reports/studies/sigma/scores.csv"
VARIABLES = ("MOVED", "PROCESSOR", "FAIL")  # of make.py


@pytest.fixture
def copy(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    copy = Path(shutil.copytree(project, tmp_path / "copy"))
    (copy / "reports/SHA256SUMS").unlink(missing_ok=True)  # of another test
    commit(copy)
    return copy


def test_a_clone_with_nothing_fetched_says_the_same_and_is_not_touched(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(tmp_path, "clone", "-q", str(copy), "fresh")
    before = snapshot(tmp_path / "fresh")
    replay(tmp_path / "fresh")
    assert snapshot(tmp_path / "fresh") == before
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "\u2713 sigma: scores identical; same verdicts" and said[-1] == "reproduced: sigma"
    assert said[1].startswith("other bytes in 0 files of reports/")


@pytest.mark.parametrize(
    ("moved", "processor", "says"),
    [
        ("1.000001", "A", "\u2248 sigma: scores within rounding; grid accuracy off by 1.0e-06"),
        ("0.99", "B", "\u2248 sigma: scores within tolerance; grid accuracy off by 1.0e-02"),
        ("0.99", "A", "\u2717 sigma: scores within tolerance; grid accuracy off by 1.0e-02"),
        ("-9", "B", "\u2717 sigma: scores of seeds that end elsewhere; grid accuracy off by 1.0e+01"),
    ],
)
def test_a_score_that_moves(
    moved: str,
    processor: str,
    says: str,
    copy: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MOVED", moved)
    monkeypatch.setenv("PROCESSOR", processor)
    if says.startswith("\u2717"):
        with pytest.raises(InputError, match="not reproduced: sigma"):
            replay(copy)
    else:
        replay(copy)
    line, changed, *_ = capsys.readouterr().out.splitlines()
    assert line.startswith(says) and ("processor A committed, B here" in line) == (processor == "B")
    assert line.endswith("better: holds committed, open here" if moved == "-9" else "same verdicts")
    assert changed.startswith(f"other bytes in {1 + (processor == 'B')} files")


def test_a_failed_replay_goes_on_in_its_clone_and_a_finished_one_starts_anew(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL", "")
    with pytest.raises(InputError, match="some stages failed"):
        replay(copy)
    mark = copy / CLONE / ".dvc/tmp/mark"
    mark.touch()
    monkeypatch.delenv("FAIL")
    replay(copy, "score@sigma")
    assert mark.exists()
    with pytest.raises(InputError, match="no study was scored"):
        replay(copy, "grid")
    assert not mark.exists()


def test_a_change_that_is_not_committed_is_refused(copy: Path) -> None:
    (copy / "make.py").write_text("")
    with pytest.raises(InputError, match="make.py is not committed"):
        replay(copy)


@pytest.mark.parametrize(
    ("scores", "machines", "verdicts", "reproduced"),
    [
        (Outcome.WITHIN_ROUNDING, [], [], True),
        (Outcome.WITHIN_TOLERANCE, [], [], False),
        (Outcome.OF_SEEDS_THAT_END_ELSEWHERE, ["processor"], [], True),
        (Outcome.OF_OTHER_CELLS, ["processor"], [], False),
        (Outcome.IDENTICAL, ["processor"], ["a: holds"], False),
    ],
)
def test_what_counts_as_reproduced(
    scores: Outcome, machines: list[str], verdicts: list[str], reproduced: bool
) -> None:
    assert Replayed("sigma", scores, "", machines, verdicts).is_reproduced is reproduced


def test_cells_made_by_something_else(tmp_path: Path) -> None:
    rows = {
        "old": ["a,A,cpu,avx2,bf16,2", "b,A,,,,2", "gone,C,,,,2"],
        "new": ["a,A,cpu,avx2,fp32,2", "b,B,,,,2", "more,D,,,,2"],
    }
    for side, lines in rows.items():
        path = tmp_path / side / "reports/studies/s/made_by.csv"
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(["cell,processor,device,instructions,precision,torch", *lines]))
    said = ["processor A committed, B here", "precision bf16 committed, fp32 here"]
    assert tell_machines(tmp_path / "old", tmp_path / "new", "s") == said
    assert tell_machines(tmp_path / "old", tmp_path / "new", "other") == []
    assert tell_machines(tmp_path / "old", tmp_path / "none", "s") == ["made by something unknown"]
