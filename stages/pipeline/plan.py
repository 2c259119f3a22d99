"""What dvc knows of the stages: what each needs, which are out of date, in what order dvc runs them."""

from collections.abc import Iterable, Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from dvc.repo import Repo
from dvc.repo.reproduce import collect_stages, get_active_graph, plan_repro
from dvc.stage import PipelineStage

USUAL_S = 5.0  # expected of a stage of a kind that was never timed


@dataclass(frozen=True)
class Plan:
    """The stages of a run, by address in the order in which `dvc repro` runs them."""

    stages: dict[str, PipelineStage]
    needs: dict[str, set[str]]  # what each needs, as addresses
    stale: set[str]  # out of date, or after one that is
    order: dict[
        str, int
    ]  # place of every stage in lock files: dvc's order in the pipeline, whatever the targets


def address(stage: PipelineStage) -> str:
    """A stage's dvc.yaml, relative to the project, and its name."""
    return f"{stage.path_in_repo}:{stage.name}"


def make_plan(repo: Repo, targets: Iterable[str]) -> Plan:
    """The plan for stages or dvc.yaml files, and all that they need."""
    graph = get_active_graph(repo.index.graph)
    with chdir(repo.root_dir):  # where dvc looks for targets
        usual = plan_repro(graph, collect_stages(repo, pipeline_files(Path())))
        chosen = plan_repro(graph, collect_stages(repo, targets))
    stages = {address(stage): stage for stage in chosen}
    order = {name: place for place, name in enumerate(dict.fromkeys(map(address, [*usual, *chosen])))}
    needs = {name: {address(other) for other in graph.successors(stage)} for name, stage in stages.items()}
    stale: set[str] = set()
    with repo.lock:
        for name, stage in stages.items():  # those that it needs come first
            if needs[name] & stale or stage.changed():
                stale.add(name)
    return Plan(stages, needs, stale, order)


def expect_seconds(commands: Mapping[str, str], wall_times_s: Mapping[str, float]) -> dict[str, float]:
    """Seconds that each stage is expected to take, from its address and command: what it took last.

    A stage that was never timed is expected to take what others of its kind take, the median of those that
    differ behind the @ of the address alone.
    """
    kinds: dict[str, list[float]] = {}
    for name, command in commands.items():
        if command in wall_times_s:
            kinds.setdefault(name.partition("@")[0], []).append(wall_times_s[command])
    usual_s = {kind: median(timed) for kind, timed in kinds.items()}
    return {
        name: wall_times_s.get(command, usual_s.get(name.partition("@")[0], USUAL_S))
        for name, command in commands.items()
    }


def rank_stages(plan: Plan, expected_s: Mapping[str, float]) -> dict[str, float]:
    """Expected seconds from the start of each stage to the end of all that waits for it."""
    rank = dict.fromkeys(plan.stages, 0.0)
    for name in reversed(plan.stages):
        rank[name] += expected_s[name]
        for other in plan.needs[name]:
            rank[other] = max(rank[other], rank[name])
    return rank


def pipeline_files(root: Path) -> list[str]:
    """The dvc.yaml files of the pipeline, without those of the pipelines beside it."""
    return [
        "dvc.yaml",
        *(str(path.relative_to(root)) for path in sorted(root.glob("stages/tasks/*/dvc.yaml"))),
    ]
