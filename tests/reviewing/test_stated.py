"""Claims that say they were stated before the look: git's history holds them without any score of theirs."""

import subprocess
from pathlib import Path

import pytest
from commands import ROOT, own_studies
from small_studies import claim, write_study

from stages.reviewing.stated import find_late, has_history
from stages.studies.tables import report_path


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
