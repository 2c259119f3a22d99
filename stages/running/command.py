"""How a stage module becomes a command: one run at a time, ends with its dvc, a mistake is one line."""

import gc
import hashlib
import os
import platform
import runpy
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from inspect import signature
from io import TextIOWrapper
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from traceback import extract_tb

import psutil
from filelock import FileLock, Timeout

from stages.parameters.errors import InputError
from stages.running.wall_times import note_wall_time

CODE = Path(__file__).parents[1]
DVC = Path(".dvc")
BY_DVC = "DVC_STAGE"  # environment variable that dvc gives to what it runs
FORKING_SHELLS = ("sh", "dash")  # stay between dvc and what it runs; others exec it
# memory in large pages, where the system gives them on request: training takes a twentieth less time;
# read as a process starts, by the C library of most Linux systems alone
LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"} if platform.libc_ver()[0] == "glibc" else {}
STOPPED = 128 + signal.SIGINT  # exit status, as shells have it
LOOK_S = 0.5  # between two looks at whether a parent is there


def run(main: Callable[..., None]) -> None:
    """Run `main`; an InputError becomes one line on stderr and exit status 1, an OSError too, with its place.

    Any other error keeps its traceback: it is a fault of the code, perhaps of an encoding of the user's own.
    A `main` that has a root reads no arguments, so that any is a mistake. The same command started twice in
    one folder runs one after the other. Started by dvc it ends with dvc. Ctrl-C is one line, too.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:  # stages/__init__.py
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if isinstance(sys.__stdout__, TextIOWrapper):  # dvc's colours may have wrapped sys.stdout
        sys.__stdout__.reconfigure(errors="backslashreplace")  # what the locale cannot write stops nothing
    command = command_line()
    by_dvc = BY_DVC in os.environ
    try:
        if by_dvc:
            end_with_parent()
        with exclusive(command):
            start = monotonic()
            if signature(main).parameters and sys.argv[1:]:
                raise InputError(
                    f"{sys.argv[1]} given, but this takes no arguments; params.yaml has its settings"
                )
            main()
            if by_dvc:
                note_wall_time(Path(), command, monotonic() - start)
    except (InputError, OSError) as error:
        place = "" if isinstance(error, InputError) else f" ({place_of(error)})"
        print(f"error: {' '.join(str(error).split())}{place}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # another ends it at once
        sys.unraisablehook = lambda _: None  # nor does what was left half-way say anything
        print("stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(STOPPED)


def place_of(error: BaseException) -> str:
    """File and line of the project's own code in which an error came up; of any code where there is none."""
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if CODE in Path(frame.filename).parents and frame.filename != __file__]
    last = (own or frames)[-1]
    return f"{last.filename.removeprefix(f'{CODE.parent}/')}, line {last.lineno}"


def command_line() -> str:
    """This process's command as dvc.yaml has it, `python -m module arguments`."""
    module = sys.modules["__main__"].__spec__
    return " ".join(["python", *(["-m", module.name] if module else sys.argv[:1]), *sys.argv[1:]])


@contextmanager
def exclusive(command: str, folder: Path = Path()) -> Iterator[None]:
    """Hold this command's lock for this folder, whatever its option order; wait for it.

    The lock lies in the project's .dvc/tmp. Where there is none to write to, nothing is locked.
    """
    if not os.access(folder / DVC, os.W_OK):
        yield
        return
    words = sorted(command.replace("=", " ").split())
    name = hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]
    (folder / DVC / "tmp").mkdir(exist_ok=True)
    lock = FileLock(folder / DVC / f"tmp/{name}.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        print(f"{command}: waiting for another run of it to end", flush=True)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def become(words: Sequence[str]) -> None:
    """Turn this process, a fork, into `python -m` with these words.

    Whatever was loaded before the fork is kept out of garbage collection. To look through torch's objects
    takes a quarter of a second, longer than many a stage at scale smoke.
    """
    gc.freeze()
    sys.argv = list(words)
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


def use_large_pages() -> None:
    """Start this process once more, with large pages, unless it has them or glibc was told otherwise."""
    if not LARGE_PAGES.keys() <= os.environ.keys():
        os.execve(sys.executable, sys.orig_argv, os.environ | LARGE_PAGES)


def end_with_parent() -> None:
    """Die with dvc (parent, or grandparent behind a shell), so orphans write into no later run."""
    own = psutil.Process()
    parent = os.getppid()
    line = [(own, parent)]
    with suppress(psutil.Error):
        shell = psutil.Process(parent)
        if shell.name() in FORKING_SHELLS:
            line.append((shell, shell.ppid()))
            parent = shell.ppid()
    Thread(target=_end_with, args=[line], daemon=True).start()
    # ASSUME a parent of another process group is not dvc: it died before, and the system adopted this one;
    # but the first of a group was started by hand, in a terminal
    if os.getpgid(parent) != os.getpgrp() != os.getpid():
        sys.exit("error: the dvc that started this is gone")


def _end_with(line: Sequence[tuple[psutil.Process, int]]) -> None:
    """Wait until a process of this line has another parent than the one beside it, then die."""
    with suppress(psutil.NoSuchProcess):
        while all(process.ppid() == parent for process, parent in line):
            sleep(LOOK_S)
    os.kill(os.getpid(), signal.SIGKILL)
