"""The tiny project replayed: what comes out again, what does not, and what is left untouched."""

import json
import shutil
from pathlib import Path

import pytest
from commands import attempt, hide_torch
from published_project import ROOT, commit, git, snapshot

from stages.files.artifacts import write_json
from stages.reviewing.again import list_stages, select
from stages.reviewing.comparison import Compared, Outcome
from stages.reviewing.provenance import PUBLISHED
from stages.reviewing.records import PROVENANCE
from stages.reviewing.replay import (
    LAST,
    Conclusion,
    compare_projects,
    format_lines,
    replay,
    state_verdict,
    tell_machines,
)
from stages.running.repository import open_repo

VERDICTS = "reports/studies/own/verdicts.csv"
CELLS = [
    f"data/cells/{task}/{name}" for task in ("grid", "network") for name in ("scores.csv", "weights.bin")
]
TABLES = ["data/tables/a.npy", "data/tables/b.npy", "data/tables/of/c.npy"]
OF_TASK = ["data/tasks/grid/one.csv", "data/scores/tasks/grid/one.csv"]
FILES = ["data/numbers.bin", *TABLES, *CELLS, *OF_TASK, "reports/runs.csv", VERDICTS]
SAME = Compared("data/scores/a.csv", Outcome.IDENTICAL)
ABSENT = Compared("data/w.npz", Outcome.NOT_MEASURED, "no artifact here")
OTHER = Compared("reports/b.csv", Outcome.DIFFERENT, "value: 2.5e-01, relative 5.0e-01")
CHAOS = Compared("data/cells/grid/history.csv", Outcome.SAME_CONCLUSIONS)
HOLDS, CHANGED = (Conclusion("sigma", "small", "holds", verdict) for verdict in ("holds", "opposed"))


@pytest.fixture
def copy(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("LAST_NUMBER", "VERDICT", "FAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", hide_torch(tmp_path / "none"))  # the tiny project has no code of ours
    copy = Path(shutil.copytree(project, tmp_path / "copy"))
    for path in PUBLISHED:  # by another test
        (copy / path).unlink(missing_ok=True)
    return copy


def test_the_command_ends_with_what_differs_and_touches_nothing(copy: Path) -> None:
    (copy / "reports/runs.csv").write_text("of_grid\n1.0\n2.525\n")
    commit(copy)
    before = snapshot(copy)
    done = attempt(copy, "python", "-m", "stages.reviewing.replay", PYTHONPATH=str(ROOT))
    deviation = "of_grid: 2.5e-02, relative 9.9e-03"
    assert done.returncode == 1 and f"different         {deviation}\n" in done.stdout
    verdict = f"not reproduced: reports/runs.csv ({deviation}); 11 identical, 1 different; 2 of 2 claims have"
    assert done.stderr == f"error: {verdict} the same verdict\n"
    after = snapshot(copy)
    record = json.loads(after.pop(str(LAST))[0])
    assert after == before and record["verdict"].startswith(verdict)
    assert {file["path"] for file in record["files"]} == set(FILES)


def test_named_stages_alone_run_and_a_failed_replay_goes_on_there(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    commit(copy)
    monkeypatch.setenv("LAST_NUMBER", "7")
    monkeypatch.setenv("FAIL", "")
    with pytest.raises(ValueError, match="not every stage succeeded"):
        replay(copy, ["train@network", "judge"])
    assert "no luck today" in capfd.readouterr().out
    monkeypatch.delenv("FAIL")
    files, _ = replay(copy, ["train@network", "judge"])
    assert "1 stage to bring up to date" in capfd.readouterr().out
    assert {file.path for file in files if file.outcome} == {"data/cells/network/scores.csv"}


def test_a_stage_alone_where_nothing_was_fetched_is_known_by_the_lock(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(copy, "clone", "-q", str(copy), str(tmp_path / "fresh"))
    files, _ = replay(tmp_path / "fresh", ["train@network"])
    of_network = [path for path in CELLS if "network" in path]
    assert {file.path for file in files} == {"data/numbers.bin", *TABLES, *of_network}
    assert {file.outcome for file in files} == {Outcome.IDENTICAL}
    monkeypatch.setenv("LAST_NUMBER", "7")
    files, _ = replay(tmp_path / "fresh", ["train@network"])
    assert {file.path for file in files if file.outcome is Outcome.NOT_MEASURED} == set(of_network)


def test_a_change_that_is_not_committed_is_refused(copy: Path) -> None:
    (copy / "make.py").write_text("")
    with pytest.raises(ValueError, match="make.py is not committed"):
        replay(copy, [])


def test_rounding_is_inherited_and_a_changed_verdict_is_different(copy: Path, project: Path) -> None:
    for path in ("data/cells/grid/scores.csv", "reports/runs.csv"):
        (copy / path).write_text((copy / path).read_text().replace("2.5", "2.5000001"))
    with open_repo(project) as repo:
        stages = select(repo, [])
    assert {stage.name for stage in stages} <= {stage.name for stage in list_stages(repo)}
    files, conclusions = compare_projects(project, copy, stages)
    rounded = {"data/cells/grid/scores.csv", "reports/runs.csv"}
    assert {file.path: file.outcome for file in files if file.outcome} == dict.fromkeys(
        rounded, Outcome.WITHIN_ROUNDING
    )
    (copy / VERDICTS).write_text((copy / VERDICTS).read_text().replace("opposed", "holds"))
    files, conclusions = compare_projects(project, copy, stages)
    assert {file.path for file in files if file.outcome is Outcome.DIFFERENT} == {VERDICTS}
    assert [str(one) for one in conclusions if not one.holds] == ["own, large: opposed published, holds here"]


def test_what_is_otherwise_than_where_it_was_published_is_told(tmp_path: Path) -> None:
    assert tell_machines(tmp_path, {"versions": {"torch": "2.12"}}) == []
    write_json(tmp_path / PROVENANCE, {"versions": {"torch": "2.11"}, "wall_s": {"train": 1.0}})
    said = ["versions.torch: 2.11 published, 2.12 here"]
    assert tell_machines(tmp_path, {"versions": {"torch": "2.12"}}) == said


def test_a_verdict_and_a_line_for_each_file() -> None:
    assert state_verdict([SAME, SAME, ABSENT], []) == "reproduced in part: 2 identical, 1 not measured"
    assert state_verdict([ABSENT], []).startswith("nothing to compare with: 1 not measured; `make pull`")
    said = f"not reproduced: reports/b.csv ({OTHER.why}), and 1 more; 1 identical, 2 different"
    assert state_verdict([SAME, OTHER, OTHER], []) == said
    held = "the same conclusions: 1 same conclusions; 1 of 1 claims have the same verdict"
    assert state_verdict([CHAOS], [HOLDS]) == held
    assert state_verdict([OTHER], [HOLDS, CHANGED]).endswith("; 1 of 2 claims have the same verdict")
    lines = format_lines([OTHER, SAME, ABSENT], [HOLDS, CHANGED])
    assert [line[0] for line in lines] == ["?", "\u2717", "\u2717"] and str(CHANGED) in lines[-1]
    assert lines[0].endswith("no artifact here")
