"""Claims that say they were stated before the look: git's history holds them without any score of theirs."""

import re
import subprocess
from pathlib import Path

import pytest
from commands import own_studies
from small_studies import claim, write_study

from stages.parameters.yaml_text import parse
from stages.studies.cells import STUDIES
from stages.studies.claim import Claim
from stages.studies.load import load_study
from stages.studies.tables import report_path, split_name

ROOT = Path(__file__).parents[2]
BEFORE = [
    (study, name)
    for study in own_studies()
    for name, stated in load_study(ROOT, study).claims.items()
    if stated.stated == "before"
]


def git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout


def has_history(root: Path) -> bool:
    command = ["git", "-C", str(root), "rev-parse", "--is-shallow-repository"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() == "false"


def first_scores(root: Path, study: str, stated: Claim) -> list[str]:
    """The commits that brought the first scores that each test compares: of two cells those of the later one.

    Where a test names a split and a metric, other scores of its cells may be older.
    """
    table, found = str(report_path(study, "scores")), []
    order = git(root, "log", "--reverse", "--format=%H", "--", table).split()
    for test in stated.tests:
        split, _, metric = test.metric.rpartition("/")
        compared = f"[0-9]+,{split},{metric}," if split else ""
        firsts = []
        for side in filter(None, [test.a, test.b]):
            cell, at = split_name(side)
            row = re.escape(",".join([test.task, cell, at] if at else [test.task, cell]))
            of_row = f"^{row},{'' if at else '[^,]*,'}{compared}"
            firsts.append(git(root, "log", "--reverse", "--format=%H", f"-G{of_row}", "--", table).split())
        if all(firsts):
            found.append(max((commits[0] for commits in firsts), key=order.index))
    return found


def stood_before(root: Path, study: str, name: str) -> bool:
    """Whether the commit before each such score holds the sentence and the tests as they are now."""
    now = parse((root / STUDIES / f"{study}.yaml").read_text(encoding="utf-8"))["claims"][name]
    for commit in set(first_scores(root, study, load_study(root, study).claims[name])):
        path = f"{STUDIES}/{study}.yaml"
        if not git(root, "ls-tree", f"{commit}~", path):
            return False
        then = parse(git(root, "show", f"{commit}~:{path}")).get("claims", {}).get(name, {})
        if any(then.get(key) != now[key] for key in ("says", "tests", "stated")):
            return False
    return True


@pytest.mark.skipif(not has_history(ROOT), reason="the history is not here")
@pytest.mark.parametrize(("study", "name"), BEFORE)
def test_what_was_stated_before_is_older_than_its_scores(study: str, name: str) -> None:
    assert stood_before(ROOT, study, name)


@pytest.mark.parametrize("first", ["claim", "scores"])
@pytest.mark.parametrize("other", [{"than": 0.5}, {"b": "floor_zero"}])
def test_the_history_tells_which_came_first(tmp_path: Path, first: str, other: dict[str, object]) -> None:
    test = {"task": "network", "a": "learned", "metric": "validation/new", **other}
    scores = tmp_path / report_path("own", "scores")
    scores.parent.mkdir(parents=True)
    git(tmp_path, "init", "--quiet")
    for step in ("study", "other scores", first, "scores" if first == "claim" else "claim"):
        if "scores" in step:  # those of another metric, or of one side alone, bear on no claim
            row = "learned,,0,validation,new" if step == "scores" else "learned,,0,validation,mse"
            with scores.open("a", encoding="utf-8") as file:
                file.write(f"network,floor_zero,,0,validation,new,1\nnetwork,{row},0.4\n")
        else:
            claims = {"better": claim(test) | {"stated": "before"}}
            write_study(tmp_path, {}, **({"claims": claims} if step == "claim" else {}))
        git(tmp_path, "add", ".")
        git(tmp_path, "-c", "user.name=Test", "-c", "user.email=t@example.org", "commit", "-qm", step)
    assert stood_before(tmp_path, "own", "better") is (first == "claim")
