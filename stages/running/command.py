"""How a stage module becomes a command: one run at a time, ends with its dvc, a mistake is one line."""

import ctypes
import fcntl
import gc
import hashlib
import os
import runpy
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from inspect import signature
from io import TextIOWrapper
from pathlib import Path
from select import select
from threading import Thread
from time import monotonic
from traceback import extract_tb

import psutil

from stages.parameters.errors import InputError
from stages.running.wall_times import note_wall_time
from stages.running.zip_headers import write_as_newer

CODE = Path(__file__).parents[1]
PR_SET_PDEATHSIG = 1  # linux/prctl.h
FORKING_SHELLS = ("sh", "dash")  # stay between dvc and what it runs; others exec it
# memory in large pages, where the system gives them on request: training takes a twentieth less time;
# glibc reads it as a process starts
LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}


def run(main: Callable[..., None]) -> None:
    """Run `main`; an InputError becomes one line on stderr and exit status 1, an OSError too, with its place.

    Any other error keeps its traceback: it is a fault of the code, perhaps of an encoding of the user's own.
    A `main` that has a root reads no arguments, so that any is a mistake. The same command started twice in
    one folder runs one after the other. Started by dvc it ends with dvc.
    """
    if isinstance(sys.__stdout__, TextIOWrapper):  # dvc's colours may have wrapped sys.stdout
        sys.__stdout__.reconfigure(errors="backslashreplace")  # what the locale cannot write stops nothing
    write_as_newer()
    command = command_line()
    by_dvc = "DVC_STAGE" in os.environ
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
    """Hold this command's lock for this folder, whatever its option order; wait for it."""
    words = sorted(command.replace("=", " ").split())
    name = hashlib.sha256(f"{os.getuid()} {folder.resolve()} {words}".encode()).hexdigest()[:16]
    with Path(tempfile.gettempdir(), f"positional-encodings-{name}.lock").open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"{command}: waiting for another run of it to end", flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


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
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = os.getppid()
    # an older kernel has no pidfd: behind such a shell a stage then ends its own run first
    with suppress(OSError, psutil.Error):
        shell = psutil.Process(parent)
        if shell.name() in FORKING_SHELLS:
            Thread(target=_end_with, args=[os.pidfd_open(shell.ppid())], daemon=True).start()
            parent = shell.ppid()
    # ASSUME a parent of another process group is not dvc: it died before, and the system adopted this one;
    # but the first of a group was started by hand, in a terminal
    if os.getpgid(parent) != os.getpgrp() != os.getpid():
        sys.exit("error: the dvc that started this is gone")


def _end_with(process: int) -> None:
    """Wait for the end of a process, by its file descriptor, then die."""
    select([process], [], [])
    os.kill(os.getpid(), signal.SIGKILL)
