"""End a process with the one that started it: what is left of a killed run writes into no later one."""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from time import sleep

import psutil

FORKING_SHELLS = ("sh", "dash")  # stay between dvc and what it runs; others exec it
LOOK_S = 0.5  # between two looks at whether a parent is there


def end_with_parent() -> None:
    """Die with the parent, or with the grandparent behind a shell."""
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
        sys.exit("error: the process that started this is gone")


def _end_with(line: Sequence[tuple[psutil.Process, int]]) -> None:
    """Wait until a process of this line has another parent than the one beside it, then die."""
    with suppress(psutil.NoSuchProcess):
        while all(process.ppid() == parent for process, parent in line):
            sleep(LOOK_S)
    os.kill(os.getpid(), signal.SIGKILL)
