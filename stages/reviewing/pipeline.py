"""The stages of every dvc.yaml as dvc resolves them, each behind those it reads from."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import networkx as nx
from dvc.stage import PipelineStage

from stages.running.repository import open_repo


@dataclass(frozen=True)
class Stage:
    """Paths are relative to the project's root, where its command runs."""

    name: str  # as dvc has it: with its file before a colon, unless that is the root's dvc.yaml
    cmd: str
    deps: tuple[str, ...]
    outs: tuple[str, ...]
    needs: tuple[str, ...] = ()  # names of the stages that write what it reads


def list_stages(root: Path) -> list[Stage]:
    """All of them in an order in which they can run, otherwise as dvc has them."""
    # ASSUME: every stage's working folder is the root, so that paths as written are relative to it
    with open_repo(root) as repo:
        # dvc's edges run from a stage to those it needs
        ordered = nx.lexicographical_topological_sort(repo.index.graph.reverse(), repo.index.stages.index)
        return [
            Stage(
                name_of(stage),
                stage.cmd,
                tuple(dep.def_path for dep in stage.deps if dep.def_path != "params.yaml"),
                tuple(out.def_path for out in stage.outs),
                tuple(map(name_of, repo.index.graph.successors(stage))),
            )
            for stage in ordered
            if stage.cmd
        ]


def list_outdated(root: Path, chosen: Sequence[Stage]) -> list[str]:
    """Names of stages whose results are older than their code, parameters or inputs, as dvc.lock has them."""
    names = {stage.name for stage in chosen}
    with open_repo(root) as repo, repo.lock:
        return [name_of(stage) for stage in repo.index.stages if name_of(stage) in names and _is_older(stage)]


def name_of(stage: PipelineStage) -> str:
    """As dvc names it at the root, wherever this process runs."""
    return f"{stage.path_in_repo}:{stage.name}".removeprefix("dvc.yaml:")


def is_apart(name: str) -> bool:
    """Whether a stage is of a pipeline that a plain `make repro` does not run."""
    return ":" in name and not name.startswith("stages/tasks/")


def _is_older(stage: PipelineStage) -> bool:
    """A missing input does not make it so: a fresh clone has no data."""
    states = [state for dep in stage.deps for state in dep.status().values()]
    return stage.changed_stage() or any(state != "deleted" for state in states)


def select(stages: Sequence[Stage], names: Sequence[str]) -> list[Stage]:
    """Those with one of the names; without any, what a plain `make repro` runs: the root's and the tasks'.

    A name is a stage's or its group's before the `@`, alone or behind its dvc.yaml or that file's folder:
    `train`, `grid:train`, `stages/tasks/grid/dvc.yaml:train@learned_s020`. ValueError for an unknown one.
    """
    if not names:
        return [stage for stage in stages if not is_apart(stage.name)]
    known = {name for stage in stages for name in _aliases(stage)}
    for name in names:
        if name not in known:
            near = " or ".join(get_close_matches(name, known, cutoff=0))
            raise ValueError(f"stage '{name}' given, but no dvc.yaml has it; expected perhaps {near}")
    return [stage for stage in stages if _aliases(stage).intersection(names)]


def _aliases(stage: Stage) -> set[str]:
    """What it can be named by."""
    file, _, name = stage.name.rpartition(":")
    short = {name, name.partition("@")[0]}
    return short | {f"{prefix}:{part}" for prefix in (file, Path(file).parent.name) for part in short if file}
