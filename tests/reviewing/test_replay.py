"""A tiny dvc project replayed: what comes out again, what does not, and what is left untouched."""

from pathlib import Path

import pytest
from tiny_project import call, make_project

from stages.reviewing import replay
from stages.reviewing.tolerances import Outcome

FILES = [
    "data/made/names.txt",
    "data/made/numbers.csv",
    "reports/tables/half.csv",
    "reports/tables/tenth.csv",
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("LAST_NUMBER", raising=False)
    return make_project(tmp_path)


def outcomes(project: Path, *names: str) -> dict[str, Outcome]:
    return {file.path: file.outcome for file in replay.replay(project, list(names), [])}


def contents(project: Path) -> dict[Path, bytes]:
    return {
        path: path.read_bytes()
        for folder in ("data/made", "reports/tables")
        for path in project.glob(f"{folder}/*")
    }


def test_everything_identical_and_untouched(project: Path) -> None:
    before = contents(project)
    assert outcomes(project) == dict.fromkeys(FILES, Outcome.IDENTICAL)
    assert contents(project) == before
    html = (project / "reports/replay.html").read_text()
    assert "Reproduced: 4 identical." in html and "no reports/provenance.json" in html


def test_an_altered_number_is_named_with_its_deviation(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "reports/tables/half.csv").write_text("y\n0.5\n1.26\n")
    assert outcomes(project) == dict.fromkeys(FILES, Outcome.IDENTICAL) | {
        "reports/tables/half.csv": Outcome.DIFFERENT
    }
    printed = capsys.readouterr().out
    assert "different" in printed and "y: 1.0e-02, relative 7.9e-03" in printed


def test_rounding_on_another_machine_is_within_tolerance(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAST_NUMBER", "2.5000001")
    assert outcomes(project) == dict.fromkeys(FILES, Outcome.EQUAL) | {FILES[0]: Outcome.IDENTICAL}


def test_named_stages_alone_take_inputs_as_they_are(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAST_NUMBER", "7")  # read by the stage that is not run
    assert outcomes(project, "shares@tenth") == {"reports/tables/tenth.csv": Outcome.IDENTICAL}


def test_without_artifacts_nothing_is_measured(project: Path) -> None:
    (project / "reports/tables/half.csv").unlink()
    assert outcomes(project, "shares")["reports/tables/half.csv"] is Outcome.UNKNOWN


def test_a_failing_stage_is_one_line_and_the_next_replay_goes_on_there(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("FAIL", "")
        failure = r"^shares@half failed with exit status 1: no luck today \(all of it: .*\)$"
        with pytest.raises(ValueError, match=failure):
            replay.replay(project, [], [])
    capsys.readouterr()
    assert outcomes(project) == dict.fromkeys(FILES, Outcome.IDENTICAL)
    assert "numbers done before" in capsys.readouterr().out
    assert "done before" not in (outcomes(project) and capsys.readouterr().out)  # a finished one starts anew


def test_after_an_interruption_with_other_code_all_is_run_again(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "code/shares.py").write_text("raise SystemExit('broken')")
    with pytest.raises(ValueError, match="broken"):
        replay.replay(project, [], [])
    (project / "code/shares.py").write_text("raise SystemExit('still broken')")
    capsys.readouterr()
    with pytest.raises(ValueError, match="still broken"):
        replay.replay(project, [], [])
    assert "done before" not in capsys.readouterr().out


def test_the_command_ends_with_what_differs(project: Path) -> None:
    same = call(project, "stages.reviewing.replay", "shares@half")
    assert same.returncode == 0 and same.stdout.endswith("reproduced: 1 identical\n"), same.stderr
    (project / "reports/tables/half.csv").write_text("y\n0.5\n1.26\n")
    other = call(project, "stages.reviewing.replay", "shares@half", "--set", "device=cpu")
    assert other.returncode == 1
    assert other.stderr == (
        "error: not reproduced: reports/tables/half.csv (y: 1.0e-02, relative 7.9e-03); 1 different\n"
    )
