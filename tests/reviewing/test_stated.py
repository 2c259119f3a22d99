"""Claims that say they were stated before the look: git's history holds them without any score of theirs."""

import subprocess
from pathlib import Path

import pytest
from commands import ROOT, own_studies
from small_studies import claim, write_study

from stages.reviewing.stated import find_late, has_history
from stages.studies.tables import report_path

ROW = "network,learned,,0,validation,new,0.4\n"
TEST = {"task": "network", "a": "learned", "metric": "validation/new", "than": 0.5}
STATED = {"claims": {"better": claim(TEST) | {"stated": "before"}}}


def git(root: Path, *arguments: str) -> None:
    user = ["-c", "user.name=Test", "-c", "user.email=t@example.org"]
    subprocess.run(["git", "-C", str(root), *user, *arguments], capture_output=True, check=True)


@pytest.mark.skipif(not has_history(ROOT), reason="the history is not here")
@pytest.mark.parametrize("study", own_studies())
def test_what_was_stated_before_is_older_than_its_scores(study: str) -> None:
    assert not find_late(ROOT, study)


@pytest.mark.parametrize("order", [("claim", "scores"), ("scores", "claim"), ("both",)])
@pytest.mark.parametrize("other", [{"than": 0.5}, {"b": "floor_zero"}])
def test_the_history_tells_which_came_first(
    tmp_path: Path, order: tuple[str, ...], other: dict[str, object]
) -> None:
    test = {"task": "network", "a": "learned", "metric": "validation/new", **other}
    scores = tmp_path / report_path("own", "scores")
    scores.parent.mkdir(parents=True)
    git(tmp_path, "init", "--quiet")
    # scores of another metric, or of one side alone, bear on no claim
    for step in order if order == ("both",) else ("study", "other scores", *order):
        if step in ("study", "claim", "both"):
            claims = {"better": claim(test) | {"stated": "before"}}
            write_study(tmp_path, {}, **({"claims": claims} if step != "study" else {}))
        if step in ("scores", "other scores", "both"):
            row = "learned,,0,validation,new" if step != "other scores" else "learned,,0,validation,mse"
            with scores.open("a", encoding="utf-8") as file:
                file.write(f"network,floor_zero,,0,validation,new,1\nnetwork,{row},0.4\n")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", step)
    assert list(find_late(tmp_path, "own")) == ([] if order == ("claim", "scores") else ["better"])


def add_scores(root: Path, study: str) -> None:
    scores = root / report_path(study, "scores")
    scores.parent.mkdir(parents=True, exist_ok=True)
    scores.write_text(f"task,cell,at,seed,split,metric,value\n{ROW}", encoding="utf-8")


def commit(root: Path) -> None:
    git(root, "add", ".")
    git(root, "commit", "-qm", "A step")


@pytest.mark.parametrize("names", [("new",), ("new", "newer"), ("own", "new", "n\u00e4")])
def test_a_study_keeps_what_it_stated_under_other_names(tmp_path: Path, names: tuple[str, ...]) -> None:
    """Renamed after its scores, twice, or once before them."""
    git(tmp_path, "init", "--quiet")
    write_study(tmp_path, {}, **STATED)
    commit(tmp_path)
    before, *after = ("own", *names) if names[0] != "own" else names
    if names[0] == "own":
        git(tmp_path, "mv", "studies/own.yaml", f"studies/{after[0]}.yaml")
        before = after.pop(0)
    add_scores(tmp_path, before)
    commit(tmp_path)
    for name in after:
        git(tmp_path, "mv", f"studies/{before}.yaml", f"studies/{name}.yaml")
        git(tmp_path, "mv", f"reports/studies/{before}", f"reports/studies/{name}")
        commit(tmp_path)
        before = name
    assert find_late(tmp_path, before) == {}


def test_another_name_makes_no_claim_older(tmp_path: Path) -> None:
    """A claim was changed with the name, and scores came back after it."""
    git(tmp_path, "init", "--quiet")
    write_study(tmp_path, {}, claims={"better": STATED["claims"]["better"] | {"says": "It is not."}})
    add_scores(tmp_path, "own")
    commit(tmp_path)
    write_study(tmp_path, {}, **STATED)
    git(tmp_path, "mv", "studies/own.yaml", "studies/new.yaml")
    git(tmp_path, "rm", "-qr", "reports")
    commit(tmp_path)
    add_scores(tmp_path, "new")
    commit(tmp_path)
    assert list(find_late(tmp_path, "new")) == ["better"]


def test_a_copy_of_a_study_has_no_history_but_its_own(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    write_study(tmp_path, {})
    add_scores(tmp_path, "own")
    commit(tmp_path)
    (tmp_path / "other").mkdir()
    write_study(tmp_path / "other", {}, **STATED)
    (tmp_path / "other/studies/own.yaml").rename(tmp_path / "studies/new.yaml")
    commit(tmp_path)
    add_scores(tmp_path, "new")
    commit(tmp_path)
    assert find_late(tmp_path, "new") == {}


@pytest.mark.parametrize(
    ("main", "side", "merge", "late"),
    [
        ("study", "other", ("claim", "scores"), True),
        ("claim", "other", ("scores",), False),
        ("study", "claim", ("scores",), False),  # stated on the branch that was merged
        ("scores", "claim", (), True),
        ("study", "scores", ("claim",), True),
    ],
)
def test_a_merge_is_a_commit_like_any_other(
    tmp_path: Path, main: str, side: str, merge: tuple[str, ...], late: bool
) -> None:
    def write(step: str) -> None:
        if step == "scores":
            add_scores(tmp_path, "own")
        elif step in ("study", "claim"):
            write_study(tmp_path, {}, **(STATED if step == "claim" else {}))
        else:
            (tmp_path / f"{step}.txt").write_text(step, encoding="utf-8")

    git(tmp_path, "init", "--quiet", "-b", "main")
    for step in ("study", "first"):
        write(step)
    commit(tmp_path)
    for branch, step in (("main", main), ("side", side)):
        git(tmp_path, "switch", "-q", *(["-c", "side", "main~1"] if branch == "side" else ["main"]))
        write(step)
        write(branch)
        commit(tmp_path)
    git(tmp_path, "switch", "-q", "main")
    git(tmp_path, "merge", "-q", "--no-ff", "--no-commit", "side")
    for step in merge:
        write(step)
    commit(tmp_path)
    assert list(find_late(tmp_path, "own")) == ["better"] * late
