"""Stages run again in a scratch copy; an interrupted replay of the same goes on where it stopped."""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.files import artifacts
from stages.reviewing import scratch
from stages.reviewing.pipeline import Stage

# In the copy: what is replayed and which stages are done, and everything that commands print
STATE, LOG = ".replay.json", ".replay.log"


def prepare(
    root: Path,
    copy: Path,
    stages: Sequence[Stage],
    parameters: Mapping[str, Any],
    environment: Mapping[str, Any],
) -> list[str]:
    """Make the copy ready; names of the stages that an interrupted replay of just the same has done in it."""
    paths = scratch.inputs(root, stages)
    commands = [[stage.name, stage.cmd] for stage in stages]
    key = [commands, dict(parameters), dict(environment), scratch.digest(root, paths)]
    same = hashlib.sha256(json.dumps(key, sort_keys=True, default=str).encode()).hexdigest()
    state = copy / STATE
    if state.is_file() and (found := artifacts.read_json(state))["replay"] == same:
        return list(found["done"])
    scratch.fill(root, copy, paths, parameters)
    artifacts.write_json(state, {"replay": same, "done": []})
    return []


def run(stages: Sequence[Stage], copy: Path, done: Sequence[str]) -> Iterator[Stage]:
    """Run those not done yet in the copy, a line for each; every stage as its outputs are there.

    Raises ValueError if one fails, with the last line it printed.
    """
    state = artifacts.read_json(copy / STATE)
    for number, stage in enumerate(stages, 1):
        print(f"[{number}/{len(stages)}] {stage.name}", end=" ", flush=True)
        if stage.name in done:
            print("done before")
        else:
            start = time.monotonic()
            _run(stage, copy)
            print(f"{time.monotonic() - start:.0f} s", flush=True)
            state["done"].append(stage.name)
            artifacts.write_json(copy / STATE, state)
        yield stage
    (copy / STATE).unlink()  # the next replay is a new one


def _run(stage: Stage, copy: Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    with (copy / LOG).open("ab") as log:
        start = log.tell()
        # as dvc runs it, by the shell; this Python is first on the path
        done = subprocess.run(
            stage.cmd,
            shell=True,
            cwd=copy,
            env=os.environ | {"PATH": path},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    if done.returncode:
        said = (copy / LOG).read_bytes()[start:].decode(errors="replace").split("\n")
        last = next((line for line in reversed(said) if line.strip()), "it printed nothing")
        raise ValueError(
            f"{stage.name} failed with exit status {done.returncode}: {last} (all of it: {copy / LOG})"
        )
    missing = [out for out in stage.outs if not (copy / out).exists()]
    if missing:
        raise ValueError(f"{stage.name} ended without writing {', '.join(missing)}")
