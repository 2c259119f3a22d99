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
from contextlib import suppress
from functools import partial
from multiprocessing import connection, forkserver, resource_tracker, util
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any, NamedTuple

from stages.running.command import BY_DVC, LARGE_PAGES, become, end_with_parent

LOADED = [__name__, "torch._dynamo", "matplotlib.figure", "stages.studies.measuring", "stages.training.cell"]
# multiprocessing asks after all processes, of all threads, whenever one starts; and of two threads that ask
# at once one is told nonsense
ASKING = Lock()
SERVER_LOST = 255  # exit status that multiprocessing gives a fork whose server was killed, and it with it
POLL_S = 0.5
LONGEST = 70  # bytes of TMPDIR: a socket in it has a path of at most 107 (unix(7)); else it lies in SHORT
SHORT = "/tmp"
TRIES = 3  # of a stage whose process is killed, for example for memory
LAST = 4000  # bytes of what a stage prints


class StageOutcome(NamedTuple):
    """How a stage ended."""

    wall_s: float
    failure: str  # what it said last; "" where it succeeded


class Output:
    """What a command prints, in its log; the end of it here too, as the log's disk may be full."""

    def __init__(self, log: Path) -> None:
        self.log, self.end = log, b""
        with suppress(OSError):
            log.touch()

    def take(self, pipe: int) -> bool:
        """Wait for more, and take it in; False at its end."""
        printed = os.read(pipe, 2**16)
        self.end = (self.end + printed)[-LAST:]
        with suppress(OSError), self.log.open("ab") as file:
            file.write(printed)
        return bool(printed)


class Workers(NamedTuple):
    """Those who run stages: at most `most` at a time."""

    # hands over a stage's address, command, log and rank; the future, of Dask perhaps, gives a StageOutcome
    submit: Callable[[str, str, Path, float], Any]
    most: int


def run_forked(
    copy: Path, command: str, log: Path, variables: Mapping[str, str], is_over: Callable[[], bool]
) -> StageOutcome:
    """Run a command in a fork, with further environment variables; it is killed once the run is over."""
    return _try(partial(_fork, copy, command, variables, is_over), log)


def run_on_worker(copy: Path, command: str, log: Path) -> StageOutcome:
    """Run a command on a worker of Dask, in a fork; it is killed where the scheduler is gone."""
    from distributed import Status, get_worker

    worker = get_worker()
    return run_forked(copy, command, log, {}, lambda: worker.status in (Status.closing, Status.closed))


def run_anew(copy: Path, command: str, log: Path) -> StageOutcome:
    """Run a command in a new Python, which has no code loaded yet."""
    return _try(partial(_call, copy, command), log)


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
    resource_tracker.ensure_running()  # started below it would undo the next line
    # the process inherits that Ctrl-C does not reach it, as it does all of a terminal; it ends with this one
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _try(run: Callable[[Output], int], log: Path) -> StageOutcome:
    """Run it, again where it is killed; it returns its exit status, or minus the number of the signal."""
    start, output = monotonic(), Output(log)
    for _ in range(TRIES):
        code = run(output)
        if code >= 0:
            break
    return StageOutcome(monotonic() - start, _describe_failure(code, output) if code else "")


def _fork(
    copy: Path, command: str, variables: Mapping[str, str], is_over: Callable[[], bool], output: Output
) -> int:
    prepare_forks(copy)
    context = multiprocessing.get_context("forkserver")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_become, args=(copy, command, sender, variables))
    try:
        with ASKING:
            process.start()
    except (OSError, EOFError):  # the server was just killed, which multiprocessing does not know yet
        sleep(POLL_S)
        return -signal.SIGKILL
    finally:
        sender.close()
    with receiver:
        _follow(process, receiver, is_over, output)
    with ASKING:
        process.join()
    if is_over():
        return 1
    return -signal.SIGKILL if process.exitcode == SERVER_LOST else process.exitcode or 0


def _follow(
    process: BaseProcess, receiver: connection.Connection, is_over: Callable[[], bool], output: Output
) -> None:
    """Take in what a process prints until it has ended; kill it once the run is over."""
    sources: list[Any] = [process.sentinel, receiver]
    while True:
        ready = connection.wait(sources, POLL_S)
        if receiver in ready and not output.take(receiver.fileno()):
            sources.remove(receiver)
        elif ready == [process.sentinel]:
            return
        if is_over():
            process.kill()


def _become(copy: Path, command: str, sender: connection.Connection, variables: Mapping[str, str]) -> None:
    """Turn this process into the command."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all of a terminal; the run kills its stages
    end_with_parent()
    os.environ.update(variables)
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    for standard, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(sender.fileno(), standard)
        # anew, since what was there may have been a file, in which Python would seek
        stream = os.fdopen(standard, "w", 1, sys.stdout.encoding, "backslashreplace", closefd=False)
        vars(sys).update({name: stream, f"__{name}__": stream})
    sender.close()
    words = shlex.split(command)
    if words[:2] != ["python", "-m"]:
        sys.exit(subprocess.run(command, shell=True).returncode)
    become(words[2:])


def _call(copy: Path, command: str, output: Output) -> int:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = os.environ | {"PATH": path, BY_DVC: command}  # it ends with this process
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, shell=True, cwd=copy, env=environment, **pipes) as process:
        assert process.stdout is not None
        while output.take(process.stdout.fileno()):
            pass
    return process.returncode


def _describe_failure(code: int, output: Output) -> str:
    """What a failed command said last, and where all of it lies, perhaps a traceback."""
    lines = output.end.decode(errors="replace").strip().splitlines()
    last = lines[-1].removeprefix("error: ") if lines else f"exit status {code}"
    if code < 0:
        last = f"killed by {signal.Signals(-code).name} {TRIES} times; expected enough memory"
    return f"{last} (log: {output.log})"
