"""The tiny project replayed: what comes out again, what does not, and what is left untouched."""

import shutil
from pathlib import Path

import pytest
from commands import attempt
from published_project import ROOT, snapshot

from stages.reporting.claims import Claim
from stages.reporting.page import page
from stages.reviewing import replay, verdict
from stages.reviewing.comparison import Compared, Outcome
from stages.reviewing.conclusions import Conclusion
from stages.reviewing.deviation import Deviation, not_comparable
from stages.reviewing.provenance import PUBLISHED
from stages.reviewing.replays import LAST
from stages.reviewing.seeds import Shift

CELLS = [
    f"data/models/{task}/focus/{name}"
    for task in ("grid", "network")
    for name in ("scores.csv", "weights.bin")
]
RUNS = "reports/runs.csv"
FILES = [
    *("data/numbers.bin", "data/tables/a.npy", "data/tables/b.npy", "data/tables/of/c.npy", *CELLS),
    *("data/tasks/grid/one.csv", RUNS, "reports/figures/one.svg", "reports/figures/two.svg"),
]
ALL_IDENTICAL = dict.fromkeys(FILES, Outcome.IDENTICAL)
SAME = Compared("evaluate", "data/scores/Grid_a.csv", Outcome.IDENTICAL)
ABSENT = Compared("train", "data/w.npz", Outcome.NOT_MEASURED, why="no artifact here")
OTHER = Compared(
    *("analyse", "reports/a<b.csv", Outcome.DIFFERENT, "value: 2.5e-01, relative 5.0e-01"),
    [Deviation("value", 0.25, 0.5), not_comparable("x", "s")],
)

HELD = Conclusion("a", Claim("a", "shown", "0.3"), Claim("a", "shown", "0.31"))
CHANGED = Conclusion("b", Claim("b", "shown", "0.3"), Claim("b", "not shown", "0.02"))
ELSEWHERE = Compared(
    *("train", "data/models/grid/focus/history.csv", Outcome.SAME_CONCLUSIONS),
    shifts=[Shift("test accuracy", 8, 0.0123, -0.04, 0.06, 0.13)],
)


@pytest.fixture
def copy(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("LAST_NUMBER", raising=False)
    copy = Path(shutil.copytree(project, tmp_path / "copy"))
    for path in PUBLISHED:  # by another test
        (copy / path).unlink(missing_ok=True)
    return copy


def outcomes(copy: Path, *names: str) -> dict[str, Outcome]:
    return {file.path: file.outcome for file in replay.replay(copy, list(names), []).files}


def test_everything_identical_and_untouched(copy: Path) -> None:
    before = snapshot(copy)
    assert outcomes(copy) == ALL_IDENTICAL
    after = snapshot(copy)
    html, _ = after.pop("reports/replay.html")
    after = {path: file for path, file in after.items() if not path.startswith(f"{LAST}/")}
    assert after == before
    assert b"Reproduced: 12 identical." in html and b"no reports/provenance.json" in html


def test_rounding_on_another_machine_is_within_tolerance(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAST_NUMBER", "2.5000001")
    rounded = {path: Outcome.WITHIN_ROUNDING for path in FILES if path.endswith(".csv")}
    assert outcomes(copy) == ALL_IDENTICAL | rounded


def test_named_stages_alone_take_inputs_as_they_are(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAST_NUMBER", "7")  # read by the stages that are not run
    (copy / "reports/figures/one.svg").unlink()
    assert outcomes(copy, "evaluate") == {
        "reports/figures/one.svg": Outcome.DIFFERENT,
        "reports/figures/two.svg": Outcome.IDENTICAL,
        RUNS: Outcome.IDENTICAL,
    }
    (copy / RUNS).unlink()
    assert outcomes(copy, "evaluate")[RUNS] is Outcome.NOT_MEASURED


def test_a_failing_stage_is_one_line_and_the_next_replay_of_the_same_goes_on_there(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FAIL", "")
    failure = r"^evaluate failed with exit status 1: no luck today \(all of it: .*\)$"
    with pytest.raises(ValueError, match=failure):
        replay.replay(copy, [], [])
    (copy / "make.py").write_text((copy / "make.py").read_text().replace("no luck today", "still none"))
    with pytest.raises(ValueError, match="still none"):
        replay.replay(copy, [], [])
    assert "done before" not in capsys.readouterr().out  # with other code all is run again
    monkeypatch.delenv("FAIL")
    assert outcomes(copy) == ALL_IDENTICAL
    assert "generate: done before" in capsys.readouterr().out
    assert "done before" not in (outcomes(copy) and capsys.readouterr().out)  # a finished one starts anew


def test_the_command_ends_with_what_differs(copy: Path) -> None:
    command = ("python", "-m", "stages.reviewing.replay", "evaluate")
    same = attempt(copy, *command, PYTHONPATH=str(ROOT))
    assert same.returncode == 0 and same.stdout.endswith("reproduced: 3 identical\n"), same.stderr
    (copy / RUNS).write_text((copy / RUNS).read_text().replace("2.5", "2.525"))
    other = attempt(copy, *command, "--set", "device=cpu", PYTHONPATH=str(ROOT))
    assert other.returncode == 1
    deviation = "of_focus_grid: 2.5e-02, relative 9.9e-03"
    assert f"different         {deviation}\n" in other.stdout
    assert other.stderr == f"error: not reproduced: {RUNS} ({deviation}); 2 identical, 1 different\n"


def test_a_verdict_and_a_line_for_each_file() -> None:
    assert verdict.state_verdict([SAME, SAME, ABSENT]) == "reproduced: 2 identical, 1 not measured"
    assert verdict.state_verdict([ABSENT]) == "nothing to compare with: 1 not measured"
    deviation = "value: 2.5e-01, relative 5.0e-01"
    said = f"not reproduced: reports/a<b.csv ({deviation}), and 1 more; 1 identical, 2 different"
    assert verdict.state_verdict([SAME, OTHER, OTHER]) == said
    assert verdict.state_verdict([SAME], [HELD]) == "reproduced: 1 identical; all 1 conclusions hold"
    held = "the same conclusions: 1 same conclusions; all 1 conclusions hold"
    assert verdict.state_verdict([ELSEWHERE], [HELD]) == held
    other = "other conclusions: 1 of 2, as b: shown published, not shown here; 1 different"
    assert verdict.state_verdict([OTHER], [HELD, CHANGED]) == other
    lines = verdict.format_lines([SAME, OTHER, ABSENT])
    assert [line[0] for line in lines] == ["\u2713", "\u2717", "?"] and lines[-1].endswith("no artifact here")
    told = verdict.format_lines([], [HELD, CHANGED])[-2:]
    assert told == ["\u2713 a: the same conclusion, shown", f"\u2717 {CHANGED}"]


def test_the_page_has_every_deviation_the_worst_first_and_escapes() -> None:
    sections = verdict.build_sections([SAME, OTHER], [("versions.torch", "2.11", "2.12")], ["A note."])
    html = page("Replay", "", sections)
    assert html.index("\u2717 different") < html.index("\u2713 identical")
    assert "<b.csv" not in html and ">2.12" in html and "A note." in html
    assert ">0.500" in html and "Nothing that is recorded." not in html
    assert "Nothing that is recorded." in page("Replay", "", verdict.build_sections([SAME], [], []))


def test_the_page_has_conclusions_and_shifts_those_that_changed_first() -> None:
    html = page("Replay", "", verdict.build_sections([ELSEWHERE], [], [], [HELD, CHANGED]))
    assert html.index("not shown") < html.index("0.31") and "equivalent" in html and ">0.012" in html
    nothing = page("Replay", "", verdict.build_sections([SAME], [], []))
    assert "Not judged" in nothing and "No cell" in nothing
