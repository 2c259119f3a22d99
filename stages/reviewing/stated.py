"""Hold claims that say they were stated before the look against git's history."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.parameters.yaml_text import parse
from stages.running.git import ask_git
from stages.studies.cells import STUDIES
from stages.studies.claim import Claim
from stages.studies.planning.load import load_study
from stages.studies.tables import report_path, split_name

COMMIT = "commit "  # before the name of each, in what `read_history` reads
JUDGED = ("says", "tests", "stated")  # parts of a claim that stand before the look
History = Mapping[str, str]  # of each commit that changed a table, oldest first: the lines that it changed


def has_history(root: Path) -> bool:
    """Tell whether the project's commits are here, unlike in an unpacked zip or a shallow clone.

    A zip that was unpacked inside another repository has that one's, which know nothing of it.
    """
    top = (ask_git(root, "rev-parse", "--show-toplevel") or "").strip()
    shallow = (ask_git(root, "rev-parse", "--is-shallow-repository") or "").strip()
    return shallow == "false" and bool(top) and Path(top).samefile(root)


def find_late(root: Path, study: str) -> dict[str, str]:
    """Name claims stated before the look that are younger than their scores, each with a commit of these."""
    claims = {name: one for name, one in load_study(root, study).claims.items() if one.stated == "before"}
    names = list_names(root, study) if claims else []
    history = read_history(root, *(report_path(name, "scores") for name in names)) if claims else {}
    written = parse((root / name_file(study)).read_text(encoding="utf-8"))["claims"]
    before: dict[str, list[dict[str, Any]]] = {}
    late = {}
    for name, claim in claims.items():
        for commit in find_first_scores(history, claim):
            if commit not in before:
                before[commit] = read_claims_before(root, names, commit)
            stood = [{part: one.get(name, {}).get(part) for part in JUDGED} for one in before[commit]]
            if {part: written[name][part] for part in JUDGED} not in stood:
                late[name] = commit
    return late


def list_names(root: Path, study: str) -> list[str]:
    """List the names that a study had, newest first: those that git renamed, as --follow takes copies too."""
    asked = ["log", "-M", "--diff-filter=R", "--name-status", "--format=", "--", STUDIES.as_posix()]
    names = [study]
    for line in (ask_git(root, "-c", "core.quotePath=false", *asked) or "").splitlines():
        _, old, new = line.split("\t")
        if new == name_file(names[-1]):
            names.append(Path(old).stem)
    return names


def read_history(root: Path, *tables: Path) -> History:
    """Read what commits changed of a table, under every path that it had; merges of their first parent."""
    paths = [table.as_posix() for table in tables]
    asked = ["log", "--reverse", "-M", f"--format={COMMIT}%H", "-p", "-U0", "--diff-merges=first-parent"]
    said = ask_git(root, *asked, "--", *paths)
    parts = re.split(rf"^{COMMIT}", said or "", flags=re.MULTILINE)[1:]
    return {commit: changed for commit, _, changed in (part.partition("\n") for part in parts)}


def find_first_scores(history: History, claim: Claim) -> set[str]:
    """Find the commits that brought the first scores that each test compares: of two cells the later one's.

    Where a test names a split and a metric, other scores of its cells may be older.
    """
    order, found = list(history), set()
    for test in claim.tests:
        sides = list(filter(None, [test.a, test.b]))
        firsts = [
            find_first(history, f"{row_of(test.task, side)}{values_of(metric)}")
            for side in sides
            for metric in test.metrics
        ]
        commits = [first for first in firsts if first is not None]
        if len(commits) == len(firsts):
            found.add(max(commits, key=order.index))
    return found


def values_of(metric: str) -> str:
    """Write a pattern of how a row goes on that has values of a metric; any, where it names no split."""
    split, _, name = metric.rpartition("/")
    return f"[0-9]+,{split},{name}," if split else ""


def find_first(history: History, pattern: str) -> str | None:
    row = re.compile(rf"^[+-]{pattern}", re.MULTILINE)
    return next((commit for commit, changed in history.items() if row.search(changed)), None)


def row_of(task: str, side: str) -> str:
    """Write a pattern of how the rows of a cell begin."""
    cell, at = split_name(side)
    return f"{re.escape(','.join([task, cell, *filter(None, [at])]))},{'' if at else '[^,]*,'}"


def read_claims_before(root: Path, names: Sequence[str], commit: str) -> list[dict[str, Any]]:
    """Read a study's claims as they stood in each parent of a commit, under any of its names."""
    _, *parents = (ask_git(root, "rev-list", "--parents", "-n", "1", commit) or "").split()
    stood = []
    for parent in parents:
        there = [path for path in map(name_file, names) if ask_git(root, "ls-tree", parent, path)]
        written = parse(ask_git(root, "show", f"{parent}:{there[0]}") or "") if there else {}
        stood.append(written.get("claims", {}))
    return stood


def name_file(study: str) -> str:
    """Name the file of a study as git does."""
    return f"{STUDIES}/{study}.yaml"
