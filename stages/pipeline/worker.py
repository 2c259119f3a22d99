"""What a worker does: run a stage's command in the run's copy of the checkout, in a process of its own.

The process is a fork of one in which the slow libraries are loaded already: it starts within a few hundredths
of a second, and yet as clean as a new Python.
"""

import multiprocessing
import os
import runpy
import shlex
import signal
import subprocess
import sys
from multiprocessing import forkserver
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from distributed import Status, Worker, get_worker

from stages.running.command import end_with_parent

LOADED = ["torch._dynamo", "matplotlib.figure", "stages.measures.tables", "stages.training.cell"]
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
    start = monotonic()
    log.unlink(missing_ok=True)
    for _ in range(TRIES):
        code = _run_once(copy, command, log, worker)
        if code >= 0 or worker.status in ENDING:
            break
    return Outcome(monotonic() - start, _describe_failure(code, log) if code else "")


def run_by_submitter(copy: Path, command: str, log: Path) -> Outcome:
    """The same on the submitter's machine, for a stage that needs the internet, in a Python of its own."""
    start = monotonic()
    with log.open("wb") as file:
        done = subprocess.run(
            command, shell=True, cwd=copy, stdout=file, stderr=file, preexec_fn=end_with_parent
        )
    return Outcome(monotonic() - start, _describe_failure(done.returncode, log) if done.returncode else "")


def prepare_forks(copy: Path) -> None:
    """Start the process that is forked for each stage; it loads libraries while this one goes on."""
    if sys.path[0] != str(copy):
        sys.path.insert(0, str(copy))  # the forks import the copy's code
    main = sys.modules["__main__"]  # a fork would run it again
    main.__spec__ = None
    main.__dict__.pop("__file__", None)
    multiprocessing.set_forkserver_preload(LOADED)
    forkserver.ensure_running()


def _run_once(copy: Path, command: str, log: Path, worker: Worker) -> int:
    """The exit status; minus the signal's number where the process was killed, as when the worker closes."""
    prepare_forks(copy)
    process = multiprocessing.get_context("forkserver").Process(target=become, args=(copy, command, log))
    process.start()
    while process.is_alive():
        process.join(1)
        if worker.status in ENDING:
            process.kill()
    return process.exitcode or 0


def become(copy: Path, command: str, log: Path) -> None:
    """Turn this process into the command."""
    end_with_parent()
    os.chdir(copy)
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    words = shlex.split(command)
    if words[:2] != ["python", "-m"]:
        sys.exit(subprocess.run(command, shell=True).returncode)
    sys.argv = words[2:]
    runpy.run_module(words[2], run_name="__main__", alter_sys=True)


def _describe_failure(code: int, log: Path) -> str:
    if code < 0:
        return f"killed by {signal.Signals(-code).name} {TRIES} times; expected enough memory"
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("error: ") if lines else f"exit status {code}"
