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
from stages.files.hashing import hash_files
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
) -> None:
    """Make the copy ready; one in which a replay of just the same was interrupted stays as it is."""
    paths = scratch.list_inputs(root, stages)
    commands = [[stage.name, stage.cmd] for stage in stages]
    described = [commands, dict(parameters), dict(environment), hash_files(root, paths)]
    key = hashlib.sha256(json.dumps(described, sort_keys=True, default=str).encode()).hexdigest()
    path = copy / STATE
    if not path.is_file() or artifacts.read_json(path)["replay"] != key:
        scratch.fill_copy(root, copy, paths, parameters)
        artifacts.write_json(path, {"replay": key, "done": []})


def run_stages(stages: Sequence[Stage], copy: Path) -> Iterator[Stage]:
    """Run those not done yet in the copy, a line for each; yields each stage once its outputs are there.

    Raises ValueError if one fails, with the last line it printed.
    """
    state = artifacts.read_json(copy / STATE)
    for number, stage in enumerate(stages, 1):
        print(f"[{number}/{len(stages)}] {stage.name}", end=" ", flush=True)
        if stage.name in state["done"]:
            print("done before")
        else:
            start = time.monotonic()
            _run_stage(stage, copy)
            print(f"{time.monotonic() - start:.0f} s", flush=True)
            state["done"].append(stage.name)
            artifacts.write_json(copy / STATE, state)
        yield stage
    (copy / STATE).unlink()  # the next replay is a new one


def _run_stage(stage: Stage, copy: Path) -> None:
    path = os.pathsep.join(
        [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    )  # this Python first
    with (copy / LOG).open("ab") as log:
        start = log.tell()
        process = subprocess.run(  # by the shell, as dvc runs it
            stage.cmd, shell=True, cwd=copy, env=os.environ | {"PATH": path}, stdout=log, stderr=log
        )
    if process.returncode:
        lines = (copy / LOG).read_bytes()[start:].decode(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "it printed nothing")
        failed = f"{stage.name} failed with exit status {process.returncode}"
        raise ValueError(f"{failed}: {last} (all of it: {copy / LOG})")
    if missing := [out for out in stage.outs if not (copy / out).exists()]:
        raise ValueError(f"{stage.name} ended without writing {', '.join(missing)}")
