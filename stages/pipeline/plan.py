"""What dvc knows of the stages: what each needs, which are out of date, how long each will take."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import chdir
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from statistics import median

from dvc.exceptions import DvcException
from dvc.repo import Repo
from dvc.repo.reproduce import collect_stages, get_active_graph, plan_repro
from dvc.stage import PipelineStage

from stages.parameters import params
from stages.parameters.errors import InputError
from stages.studies.schema import DEFAULT

REPORT = "dvc.yaml:report"  # it reads the tables of every study that ran
USUAL_S = 5.0  # expected of a stage of a kind that was never timed
QUICK_S = 2.0  # a stage that takes less goes before all others
Stages = dict[str, PipelineStage]  # by address, each behind those it needs
Needs = dict[str, set[str]]  # addresses of what each stage needs


@dataclass(frozen=True)
class Plan:
    """The stages of a run."""

    stages: Stages
    needs: Needs
    stale: set[str]  # to be brought up to date: run, or taken from dvc's cache
    forced: frozenset[str] = frozenset()  # of them, run even where dvc's cache has results


def address(stage: PipelineStage) -> str:
    """A stage's dvc.yaml, relative to the project, and its name."""
    return f"{stage.path_in_repo}:{stage.name}"


def pipeline_files(root: Path) -> list[str]:
    """The dvc.yaml files that a run without targets brings up to date: default studies, and their data."""
    studies = [path for name in DEFAULT if (path := root / f"studies/{name}.yaml").is_file()]
    tasks = {task for path in studies for task in params.read(path).get("tasks", [])}
    files = [f"stages/tasks/{task}/dvc.yaml" for task in sorted(tasks)]
    files += [f"studies/{name}/{file}" for name in DEFAULT for file in ("dvc.yaml", "cells/dvc.yaml")]
    return ["dvc.yaml", *(file for file in files if (root / file).is_file())]


def study_file(study: str) -> str:
    return f"studies/{study}/dvc.yaml"


def make_plan(repo: Repo, targets: Iterable[str]) -> Plan:
    """The plan for stages or dvc.yaml files, and all that they need; what is not on this machine is made."""
    stages, needs = _collect(repo, targets)
    stale: set[str] = set()
    with repo.lock:
        for name, stage in stages.items():
            if needs[name] & stale or stage.changed():
                stale.add(name)
    return Plan(stages, needs, stale)


def make_study_plan(repo: Repo, study: str) -> Plan:
    """The plan for a study and what it needs, and for the report behind it, which is made anew.

    A stage whose outputs alone are missing is left as it is, unless a stage that is out of date reads them.
    Other studies are taken as they are, and the report is left out where what it reads of them is lost.
    """
    behind, needs_behind = _collect(repo, [REPORT])
    stages, needs = _collect(repo, [study_file(study)])
    own = set(stages)
    last = [name for name in behind if name.startswith("dvc.yaml:") and needs_behind[name] & own]
    last = [*(name for name in last if name != REPORT), REPORT]
    others = _needed(needs_behind, last) - {*stages, *last}
    changed = set[str]()
    if not any(_is_lost(behind[name]) for name in others):
        stages |= {name: behind[name] for name in [*others, *last]}
        needs |= {name: set() for name in others} | {name: needs_behind[name] for name in last}
        changed = {REPORT}
    with repo.lock:
        for name in own:
            upstream = [stages[need] for need in needs[name]]
            if stages[name].changed(allow_missing=True, upstream=upstream):
                changed.add(name)
        stale = spread(stages, needs, changed)
        # from dvc's cache, as they are
        read = _needed(needs, stale) - others
        stale |= {name for name in read if not all(out.exists for out in stages[name].outs)}
    if REPORT in stages:
        needs[REPORT] = needs[REPORT] | own & stale  # it waits for them
    return Plan(stages, needs, stale, frozenset({REPORT} & stale))


def _collect(repo: Repo, targets: Iterable[str]) -> tuple[Stages, Needs]:
    graph = get_active_graph(repo.index.graph)
    with chdir(repo.root_dir):  # where dvc looks for targets
        asked = [stage for target in targets for stage in _find(repo, target)]
        stages = {address(stage): stage for stage in plan_repro(graph, asked)}
    return stages, {name: set(map(address, graph.successors(stage))) for name, stage in stages.items()}


def _find(repo: Repo, target: str) -> list[PipelineStage]:
    """The stages that a target names; InputError with the name that is most like it."""
    if of_file := [stage for stage in repo.index.stages if stage.path_in_repo == target]:
        return of_file  # dvc would read the file once more
    try:
        return list(collect_stages(repo, [target]))
    except DvcException:
        addresses = [address(stage).removeprefix("dvc.yaml:") for stage in repo.index.stages]
        files = list(dict.fromkeys(stage.path_in_repo for stage in repo.index.stages))
        expected = [file for file in files if f"/{target}/" in file]
        expected = expected or get_close_matches(target, [*files, *addresses], n=1) or files
        raise InputError(
            f"'{target}' is no stage, dvc.yaml or output; expected {', '.join(expected)}"
        ) from None


def spread(stages: Stages, needs: Needs, changed: Collection[str]) -> set[str]:
    """What must run if these are out of date: all that needs them, and of what they need what is lost."""
    stale = set(changed)
    before = 0
    while before < len(stale):
        before = len(stale)
        for name in stages:
            if needs[name] & stale:
                stale.add(name)
        for name in reversed(stages):
            if name in _needed(needs, stale) - stale and _is_lost(stages[name]):
                stale.add(name)
    return stale


def _needed(needs: Needs, stale: Iterable[str]) -> set[str]:
    return {need for name in stale for need in needs[name]}


def _is_lost(stage: PipelineStage) -> bool:
    """Whether neither dvc's cache nor, for what is not cached, git has an output."""
    return any(out.changed_cache() if out.use_cache else not out.exists for out in stage.outs)


def expect_seconds(commands: Mapping[str, str], wall_times_s: Mapping[str, float]) -> dict[str, float]:
    """Seconds that each stage is expected to take, from its address and command: what it took last.

    A stage that was never timed is expected to take the median of the stages whose address differs only
    behind the @; without any, the median of all timed commands of its module, of other studies too.
    """
    kinds: dict[str, list[float]] = {}
    for name, command in commands.items():
        if command in wall_times_s:
            kinds.setdefault(kind_of(name), []).append(wall_times_s[command])
    modules: dict[str, list[float]] = {}
    for command, wall_s in wall_times_s.items():
        modules.setdefault(module_of(command), []).append(wall_s)
    expected_s = {}
    for name, command in commands.items():
        timed = kinds.get(kind_of(name)) or modules.get(module_of(command)) or [USUAL_S]
        expected_s[name] = wall_times_s.get(command, median(timed))
    return expected_s


def kind_of(name: str) -> str:
    return name.partition("@")[0]


def module_of(command: str) -> str:
    """`python -m module`."""
    return " ".join(command.split()[:3])


def rank_stages(plan: Plan, expected_s: Mapping[str, float]) -> dict[str, float]:
    """Expected seconds from the start of each stage to the end of all that waits for it."""
    rank_s = dict.fromkeys(plan.stages, 0.0)
    for name in reversed(plan.stages):
        rank_s[name] += expected_s.get(name, 0)
        for need in plan.needs[name]:
            rank_s[need] = max(rank_s[need], rank_s[name])
    return rank_s


def prioritise_stages(expected_s: Mapping[str, float], rank_s: Mapping[str, float]) -> dict[str, float]:
    """Of stages that are ready the highest goes first: the one with the longest way to the end of the run.

    Quick ones go before all others, so that a cell is scored when it is trained, not when all cells are.
    """
    first = max(rank_s.values(), default=0.0)
    return {name: rank_s[name] + first * (wall_s < QUICK_S) for name, wall_s in expected_s.items()}
