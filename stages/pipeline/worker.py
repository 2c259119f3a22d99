"""What a worker does: run a stage's command in the run's copy of the checkout, in a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from distributed import Status, Worker, get_worker

from stages.pipeline.forks import start_fork
from stages.running.command import end_with_parent

STARTS = "starts"  # the topic on which workers say what they start
ENDING = (Status.closing, Status.closed)  # of a worker whose scheduler is gone
TRIES = 3  # of a stage whose process is killed, for example for memory


class Outcome(NamedTuple):
    """How a stage ended."""

    wall_s: float
    failure: str  # what it said last; "" where it succeeded


def run_stage(copy: Path, stage: str, command: str, log: Path) -> Outcome:
    """Run a stage's command in `copy`, its output to `log`."""
    worker = get_worker()
    worker.log_event(STARTS, (stage, f"worker {worker.name}"))
    return _try(partial(_fork, copy, command, log, worker), log)


def run_stage_anew(copy: Path, stage: str, command: str, log: Path) -> Outcome:
    """The same on a worker that runs other things too, and may have other code loaded: in a new Python."""
    worker = get_worker()
    worker.log_event(STARTS, (stage, f"worker {worker.name}"))
    return run_anew(copy, command, log)


def run_anew(copy: Path, command: str, log: Path) -> Outcome:
    """The same without a worker, for a stage that needs the internet."""
    return _try(partial(_call, copy, command, log), log)


def _try(run: Callable[[], int], log: Path) -> Outcome:
    """Run it, again where it is killed; it returns its exit status, or minus the number of the signal."""
    start = monotonic()
    log.unlink(missing_ok=True)
    for _ in range(TRIES):
        code = run()
        if code >= 0:
            break
    return Outcome(monotonic() - start, _describe_failure(code, log) if code else "")


def _fork(copy: Path, command: str, log: Path, worker: Worker) -> int:
    process = start_fork(copy, command, log)
    while process.is_alive():
        process.join(1)
        if worker.status in ENDING:
            process.kill()
            return 1  # nobody asks any more
    return process.exitcode or 0


def _call(copy: Path, command: str, log: Path) -> int:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = os.environ | {"PATH": path}
    with log.open("ab") as file:
        output: dict[str, Any] = {"stdout": file, "stderr": file, "preexec_fn": end_with_parent}
        return subprocess.run(command, shell=True, cwd=copy, env=environment, **output).returncode


def _describe_failure(code: int, log: Path) -> str:
    if code < 0:
        return f"killed by {signal.Signals(-code).name} {TRIES} times; expected enough memory"
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("error: ") if lines else f"exit status {code}"
