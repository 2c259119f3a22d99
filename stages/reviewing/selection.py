"""The stages of every dvc.yaml as dvc resolves them, and which of them are run again."""

from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

import networkx as nx
from dvc.repo import Repo
from dvc.repo.reproduce import collect_stages

from stages.pipeline.plan import address, pipeline_files
from stages.reviewing.records import is_within_any


class Stage(NamedTuple):
    """Paths are relative to the project's root, where its command runs."""

    name: str  # its dvc.yaml, a colon, its name there
    deps: tuple[str, ...]
    outs: tuple[str, ...]


def list_stages(repo: Repo) -> list[Stage]:
    """All of them, each behind those it reads from."""
    # ASSUME: every stage's working folder is the root, so that paths as written are relative to it;
    # dvc's edges run from a stage to those it needs
    ordered = nx.lexicographical_topological_sort(repo.index.graph.reverse(), repo.index.stages.index)
    return [
        Stage(
            address(stage),
            tuple(dep.def_path for dep in stage.deps if dep.def_path != "params.yaml"),
            tuple(out.def_path for out in stage.outs),
        )
        for stage in ordered
    ]


def select(repo: Repo, targets: Sequence[str]) -> list[Stage]:
    """Those of the targets, dvc.yaml files or stages as dvc has them; without any, those of `make repro`."""
    with chdir(repo.root_dir):
        found = set(map(address, collect_stages(repo, targets or pipeline_files(Path()))))
    return [stage for stage in list_stages(repo) if stage.name in found]


def is_touched(path: str, paths: Sequence[str]) -> bool:
    """Whether `path` is one of the paths, lies in one, or holds one."""
    return is_within_any(path, paths) or any(is_within_any(other, [path]) for other in paths)


def add_makers(root: Path, everything: Sequence[Stage], asked: Sequence[Stage]) -> list[Stage]:
    """The stages asked for and those that make what these read and is not here; all in order."""
    chosen: list[Stage] = []
    for stage in reversed(everything):
        read = [dep for one in chosen for dep in one.deps]
        needed = any(is_touched(out, read) and not (root / out).exists() for out in stage.outs)
        if needed or stage in asked:
            chosen.append(stage)
    return chosen[::-1]


def list_runnable(root: Path, stages: Sequence[Stage]) -> list[Stage]:
    """Those of the stages, which stand in order, whose inputs are all here or are made again before.

    Recordings may be neither: they lie outside the project, and what is made of them is perhaps withheld.
    """
    made: list[str] = []
    runnable = []
    for stage in stages:
        if all((root / dep).exists() or is_touched(dep, made) for dep in stage.deps):
            made += stage.outs
            runnable.append(stage)
    return runnable
