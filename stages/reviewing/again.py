"""Choose stages to run again, and run them in a clone that takes over none of their results.

An interrupted run of the same stages goes on where it stopped.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
from dvc.repo import Repo
from dvc.repo.reproduce import collect_stages
from dvc.utils.serialize import dump_yaml, load_yaml

from stages.parameters.errors import InputError
from stages.pipeline.plan import address, pipeline_files
from stages.reviewing import objects
from stages.reviewing.records import is_within_any
from stages.running.repository import EVERY_STUDY, ask_git, cache_of, open_repo

STATE = ".dvc/tmp/again"  # in the clone: what runs there, until it has ended


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


def run_again(
    root: Path,
    scratch: Path,
    stages: Sequence[Stage],
    others: Sequence[Stage],
    targets: Sequence[str],
    record: Mapping[str, Any],
) -> None:
    """Run the stages in a clone at `scratch`; their outputs lie there then.

    others: all other stages, of which those that are read keep what they wrote. targets: the stages as dvc
    finds them; none: those of a plain `make repro`. record: as provenance.collect makes it.
    InputError: a stage failed.
    """
    environment = {key: value for key, value in record.items() if key != "wall_s"}
    described = json.dumps([stages, environment], sort_keys=True, default=str)
    key = hashlib.sha256(described.encode()).hexdigest()
    state = scratch / STATE
    if not state.is_file() or state.read_text(encoding="utf-8") != key:
        shutil.rmtree(scratch, ignore_errors=True)
        ask_git(root, "clone", "--quiet", str(root.resolve()), str(scratch.resolve()))
        forget(scratch, {stage.name for stage in stages})
        read = [dep for stage in stages for dep in stage.deps]
        needed = [other for other in others if any(is_touched(out, read) for out in other.outs)]
        take_outputs(root, scratch, [out for other in needed for out in other.outs])
        state.parent.mkdir(exist_ok=True)
        state.write_text(key, encoding="utf-8")
    runner = subprocess.Popen([sys.executable, "-m", "stages.pipeline.repro", *targets], cwd=scratch)
    try:
        status = runner.wait()
    except KeyboardInterrupt:
        runner.wait()  # it records what has finished
        sys.exit("stopped; the same command goes on from here")
    if status:
        raise InputError("not every stage succeeded, as the lines above say; the same command goes on there")
    state.unlink()


def forget(scratch: Path, names: Iterable[str]) -> None:
    """Take the named stages out of the locks, so that they run; freeze all others, so that they do not."""
    groups = {name.partition("@")[0] for name in names}
    for pattern in objects.PIPELINES:
        for path in scratch.glob(pattern):
            pipeline, file = load_yaml(path), path.relative_to(scratch).as_posix()
            for name, stage in pipeline["stages"].items():
                if f"{file}:{name}" not in groups:
                    stage.get("do", stage)["frozen"] = True
            dump_yaml(path, pipeline)
            if (lock := path.with_suffix(".lock")).is_file():
                entries = load_yaml(lock)
                kept = [name for name in entries["stages"] if f"{file}:{name}" not in names]
                dump_yaml(lock, entries | {"stages": {name: entries["stages"][name] for name in kept}})


def take_outputs(root: Path, scratch: Path, outs: Iterable[str]) -> None:
    """Fetch outputs from the project's cache into a cache of the clone's own; git has the others."""
    with open_repo(root) as repo:
        cache = os.path.relpath(cache_of(repo), (scratch / ".dvc").resolve())
    config = f'[cache]\n dir = cache\n[\'remote "artifacts"\']\n url = "{cache}"\n'
    (scratch / ".dvc/config.local").write_text(config, encoding="utf-8")
    if kept := [str(scratch.resolve() / out) for out in objects.select_kept(scratch, outs)]:
        with open_repo(scratch, EVERY_STUDY) as repo, chdir(scratch / ".dvc"):
            repo.pull(kept, remote="artifacts", allow_missing=True)
