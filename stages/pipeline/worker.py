"""What a worker does: run a stage's command in the run's copy of the checkout, in a process of its own."""

import signal
import subprocess
from pathlib import Path
from time import monotonic
from typing import NamedTuple

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


def _run_once(copy: Path, command: str, log: Path, worker: Worker) -> int:
    """The exit status; minus the signal's number where the process was killed, as when the worker closes."""
    process = start_fork(copy, command, log)
    while process.is_alive():
        process.join(1)
        if worker.status in ENDING:
            process.kill()
    return process.exitcode or 0


def _describe_failure(code: int, log: Path) -> str:
    if code < 0:
        return f"killed by {signal.Signals(-code).name} {TRIES} times; expected enough memory"
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("error: ") if lines else f"exit status {code}"
