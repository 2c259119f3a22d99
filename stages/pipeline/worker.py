"""How a stage's command runs in the run's copy of the checkout: in a process of its own, again if killed.

That process is forked from one in which the slow libraries are loaded already: it starts within a few
hundredths of a second, yet as clean as a new Python. It imports this file, which therefore imports little.
"""

import multiprocessing
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from multiprocessing import connection, forkserver, util
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any, NamedTuple

from stages.running.command import LARGE_PAGES, become, end_with_parent

LOADED = [__name__, "torch._dynamo", "matplotlib.figure", "stages.studies.measuring", "stages.training.cell"]
# multiprocessing asks after all processes, of all threads, whenever one starts; and of two threads that ask
# at once one is told nonsense
ASKING = Lock()
SERVER_LOST = 255  # exit status that multiprocessing gives a fork whose server was killed, and it with it
POLL_S = 0.5
LONGEST = 70  # bytes of TMPDIR: a socket in it has a path of at most 107 (unix(7)); else it lies in SHORT
SHORT = "/tmp"
TRIES = 3  # of a stage whose process is killed, for example for memory


class StageOutcome(NamedTuple):
    """How a stage ended."""

    wall_s: float
    failure: str  # what it said last; "" where it succeeded


class Workers(NamedTuple):
    """Those who run stages: at most `most` at a time."""

    # hands over a stage's address, command, log and rank; the future, of Dask perhaps, gives a StageOutcome
    submit: Callable[[str, str, Path, float], Any]
    most: int


def run_forked(
    copy: Path, command: str, log: Path, variables: Mapping[str, str], is_over: Callable[[], bool]
) -> StageOutcome:
    """Run a command in a fork, with further environment variables; it is killed once the run is over."""
    return _try(partial(_fork, copy, command, log, variables, is_over), log)


def run_on_worker(copy: Path, command: str, log: Path) -> StageOutcome:
    """Run a command on a worker of Dask, in a fork; it is killed where the scheduler is gone."""
    from distributed import Status, get_worker

    worker = get_worker()
    return run_forked(copy, command, log, {}, lambda: worker.status in (Status.closing, Status.closed))


def run_anew(copy: Path, command: str, log: Path) -> StageOutcome:
    """Run a command in a new Python, which has no code loaded yet."""
    return _try(partial(_call, copy, command, log), log)


def prepare_forks(copy: Path) -> None:
    """Start the process that is forked for each stage; it loads libraries while this one goes on."""
    if sys.path[0] != str(copy):
        sys.path.insert(0, str(copy))  # the forks import the copy's code
    main = sys.modules["__main__"]  # a fork would run it again
    main.__spec__ = None
    main.__dict__.pop("__file__", None)
    multiprocessing.set_forkserver_preload(LOADED)
    os.environ.update(LARGE_PAGES | os.environ)
    usual = tempfile.gettempdir()
    if len(os.fsencode(usual)) > LONGEST:
        tempfile.tempdir = SHORT
    util.get_temp_dir()  # where multiprocessing puts its sockets from now on
    tempfile.tempdir = usual
    forkserver.ensure_running()


def _try(run: Callable[[], int], log: Path) -> StageOutcome:
    """Run it, again where it is killed; it returns its exit status, or minus the number of the signal."""
    start = monotonic()
    log.unlink(missing_ok=True)
    for _ in range(TRIES):
        code = run()
        if code >= 0:
            break
    return StageOutcome(monotonic() - start, _describe_failure(code, log) if code else "")


def _fork(
    copy: Path, command: str, log: Path, variables: Mapping[str, str], is_over: Callable[[], bool]
) -> int:
    prepare_forks(copy)
    context = multiprocessing.get_context("forkserver")
    process = context.Process(target=_become, args=(copy, command, log, variables))
    try:
        with ASKING:
            process.start()
    except (OSError, EOFError):  # the server was just killed, which multiprocessing does not know yet
        sleep(POLL_S)
        return -signal.SIGKILL
    while not connection.wait([process.sentinel], POLL_S):
        if is_over():
            process.kill()
    with ASKING:
        process.join()
    if is_over():
        return 1
    return -signal.SIGKILL if process.exitcode == SERVER_LOST else process.exitcode or 0


def _become(copy: Path, command: str, log: Path, variables: Mapping[str, str]) -> None:
    """Turn this process into the command."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all of a terminal; the run kills its stages
    end_with_parent()
    os.environ.update(variables)
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    words = shlex.split(command)
    if words[:2] != ["python", "-m"]:
        sys.exit(subprocess.run(command, shell=True).returncode)
    become(words[2:])


def _call(copy: Path, command: str, log: Path) -> int:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = os.environ | {"PATH": path}
    with log.open("ab") as file:
        output: dict[str, Any] = {"stdout": file, "stderr": file, "preexec_fn": end_with_parent}
        return subprocess.run(command, shell=True, cwd=copy, env=environment, **output).returncode


def _describe_failure(code: int, log: Path) -> str:
    """What a failed command said last, and where all of it lies, perhaps a traceback."""
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    last = lines[-1].removeprefix("error: ") if lines else f"exit status {code}"
    if code < 0:
        last = f"killed by {signal.Signals(-code).name} {TRIES} times; expected enough memory"
    return f"{last} (log: {log})"
