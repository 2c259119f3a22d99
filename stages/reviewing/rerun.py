"""Stages run again in a scratch copy of what they read, so that no artifact is touched.

An interrupted replay of the same stages goes on where it stopped.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from copy import deepcopy
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import yaml

from stages.files import artifacts
from stages.files.hashing import hash_files, list_files
from stages.parameters import params
from stages.reviewing.deviation import leaves
from stages.reviewing.pipeline import Stage

TASKS = "stages/tasks/*/facts.py"  # params.yaml is refused where a task of it is not there
# In the copy: what is replayed and which stages are done, and what each command prints
STATE, LOGS = ".replay.json", ".replay"


def apply_settings(parameters: Mapping[str, Any], settings: Sequence[str]) -> dict[str, Any]:
    """Parameters with those of `settings`, each `key=value`, about how training computes.

    Raises ValueError for any other: a replay must not change what the experiments are.
    """
    changed = deepcopy(dict(parameters))
    places = {"device": changed} | {f"compute.{name}": changed["compute"] for name in changed["compute"]}
    for setting in settings:
        try:
            key, value = setting.split("=", 1)
            places[key][key.removeprefix("compute.")] = yaml.safe_load(value)
        except (KeyError, ValueError, yaml.YAMLError):
            raise ValueError(
                f"--set '{setting}' given, expected key=value with one of {', '.join(places)}; for other "
                "parameters there is `dvc exp run -S`"
            ) from None
    return changed


def list_inputs(root: Path, stages: Sequence[Stage]) -> list[str]:
    """Sorted paths of every file that the stages read and do not make themselves, those outside absolute.

    Only declared dependencies and files that params.yaml names are among them: a stage that reads anything
    else fails in the copy. Raises ValueError for one that is not there.
    """
    outs = [Path(out) for stage in stages for out in stage.outs]
    values = {str(value) for _, value in leaves(params.read(root / params.FILE))}
    inside = {text for text in values if not Path(text).is_absolute() and ".." not in Path(text).parts}
    paths = {params.FILE} | {text for text in inside if (root / text).is_file()}
    paths |= {file.relative_to(root).as_posix() for file in root.glob(TASKS)}
    for stage in stages:
        for dep in stage.deps:
            if any(Path(dep).is_relative_to(out) for out in outs):
                continue
            if not (root / dep).exists() and not any(out.is_relative_to(dep) for out in outs):
                raise ValueError(
                    f"{dep} not found, which {stage.name} reads; make it with `make repro`, or replay the "
                    "stage that makes it too"
                )
            files = {Path(dep, file.relative_to(root / dep)) for file in list_files(root / dep)}
            paths |= {str(file) for file in files if not any(file.is_relative_to(out) for out in outs)}
    packages = {parent / "__init__.py" for path in paths for parent in Path(path).parents}
    return sorted(paths | {str(file) for file in packages if (root / file).is_file()})


def prepare(root: Path, copy: Path, stages: Sequence[Stage], record: Mapping[str, Any]) -> None:
    """Fill `copy` anew, unless a replay of just the same was interrupted there.

    record: as provenance.collect makes it, with the parameters of the copy.
    """
    paths = list_inputs(root, stages)
    commands = [[stage.name, stage.cmd] for stage in stages]
    environment = {name: record[name] for name in record.keys() - {"commit", "wall_s"}}
    described = [commands, environment, hash_files(root, paths)]
    key = hashlib.sha256(json.dumps(described, sort_keys=True, default=str).encode()).hexdigest()
    if (copy / STATE).is_file() and artifacts.read_json(copy / STATE)["replay"] == key:
        return
    with artifacts.write_atomically(copy) as beside:
        for path in (path for path in paths if not Path(path).is_absolute()):  # others are read in place
            (beside / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / path, beside / path)
        (beside / params.FILE).write_text(yaml.safe_dump(record["params"], sort_keys=False))
        (beside / LOGS).mkdir()
        artifacts.write_json(beside / STATE, {"replay": key, "done": []})


def run_stages(stages: Sequence[Stage], copy: Path, at_once: int) -> Iterator[Stage]:
    """Run those not done yet in the copy, a line for each; yields each stage once its outputs are there.

    Raises ValueError if one fails, with the last line it printed; those that run beside it end first.
    """
    by_name = {stage.name: stage for stage in stages}
    order = TopologicalSorter({stage.name: by_name.keys() & stage.needs for stage in stages})
    order.prepare()
    state = artifacts.read_json(copy / STATE)
    ended = len(state["done"])
    running: dict[Future[float], str] = {}
    pool = ThreadPoolExecutor(at_once)
    try:
        while order.is_active():
            for name in order.get_ready():
                if name in state["done"]:
                    print(f"{name}: done before")
                    order.done(name)
                    yield by_name[name]
                else:
                    running[pool.submit(_run_stage, by_name[name], copy)] = name
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(future)
                wall_s = future.result()
                ended += 1
                print(f"[{ended}/{len(stages)}] {name}: {wall_s:.0f} s", flush=True)
                state["done"].append(name)
                artifacts.write_json(copy / STATE, state)
                order.done(name)
                yield by_name[name]
    finally:
        pool.shutdown(cancel_futures=True)  # also after Ctrl-C: what has not started does not start
        ended_well = [future for future in running if not future.cancelled() and not future.exception()]
        state["done"] += [running[future] for future in ended_well]
        artifacts.write_json(copy / STATE, state)
    (copy / STATE).unlink()  # the next replay is a new one


def _run_stage(stage: Stage, copy: Path) -> float:
    """Run it; seconds that it took."""
    started = time.monotonic()
    python_first = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    log = copy / LOGS / f"{stage.name.replace('/', '_')}.log"
    with log.open("wb") as file:
        process = subprocess.run(  # by the shell, as dvc runs it
            stage.cmd, shell=True, cwd=copy, env=os.environ | {"PATH": python_first}, stdout=file, stderr=file
        )
    if process.returncode:
        lines = log.read_text(errors="replace").strip().splitlines()
        failed = f"{stage.name} failed with exit status {process.returncode}"
        raise ValueError(f"{failed}: {lines[-1] if lines else 'it printed nothing'} (all of it: {log})")
    if missing := [out for out in stage.outs if not (copy / out).exists()]:
        raise ValueError(f"{stage.name} ended without writing {', '.join(missing)}")
    return time.monotonic() - started
