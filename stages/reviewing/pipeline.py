"""The stages of every dvc.yaml as dvc resolves them, each behind those it reads from."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import networkx as nx
from dvc.repo import Repo
from dvc.stage import PipelineStage


@dataclass(frozen=True)
class Stage:
    """Paths are relative to the project's root, where its command runs."""

    name: str  # as dvc has it: with its file before a colon, unless that is the root's dvc.yaml
    cmd: str
    deps: tuple[str, ...]
    outs: tuple[str, ...]


def stages(root: Path) -> list[Stage]:
    """All of them in an order in which they can run, otherwise as dvc.yaml has them."""
    # ASSUME: every stage's working folder is the root, so that paths as written are relative to it
    with Repo(root) as repo:
        place = {stage: number for number, stage in enumerate(repo.index.stages)}
        # dvc's edges run from a stage to those it needs
        ordered = nx.lexicographical_topological_sort(repo.index.graph.reverse(), key=place.__getitem__)
        return [
            Stage(
                stage.addressing,
                stage.cmd,
                tuple(one.def_path for one in stage.deps if one.def_path != "params.yaml"),
                tuple(one.def_path for one in stage.outs),
            )
            for stage in ordered
            if stage.cmd
        ]


def outdated(root: Path, chosen: Sequence[Stage]) -> list[str]:
    """Names of stages whose results are older than their code, parameters or inputs, as dvc.lock has them."""
    names = {stage.name for stage in chosen}
    with Repo(root) as repo, repo.lock:
        return [
            stage.addressing for stage in repo.index.stages if stage.addressing in names and _is_older(stage)
        ]


def _is_older(stage: PipelineStage) -> bool:
    """A missing input does not make it so: a fresh clone has no data."""
    states = [state for dep in stage.deps for state in dep.status().values()]
    return stage.changed_stage() or any(state != "deleted" for state in states)


def named(stages: Sequence[Stage], names: Sequence[str]) -> list[Stage]:
    """Those with one of the names, of a stage or of all its `@` variants; all of the root's if none is given.

    Raises ValueError for a name that no stage has.
    """
    known = {name for stage in stages for name in _called(stage)}
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=3)
            raise ValueError(
                f"stage '{name}' given, but dvc.yaml has none of that name; expected "
                + (f"perhaps {' or '.join(near)}" if near else f"one of {', '.join(sorted(known)[:8])}, …")
            )
    if not names:
        return [stage for stage in stages if ":" not in stage.name]
    return [stage for stage in stages if _called(stage).intersection(names)]


def _called(stage: Stage) -> set[str]:
    """What it can be named by: its own name and its group's."""
    name = stage.name.rpartition(":")[2]
    return {stage.name, name, name.partition("@")[0]}
