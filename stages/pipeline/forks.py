"""A process of its own for each stage that a worker runs.

It is a fork of one in which the slow libraries are loaded already: it starts within a few hundredths of a
second, and yet as clean as a new Python. It imports this file, which therefore imports little.
"""

import multiprocessing
import os
import runpy
import shlex
import subprocess
import sys
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from pathlib import Path

from stages.running.command import end_with_parent

LOADED = [__name__, "torch._dynamo", "matplotlib.figure", "stages.measures.tables", "stages.training.cell"]


def prepare_forks(copy: Path) -> None:
    """Start the process that is forked for each stage; it loads libraries while this one goes on."""
    if sys.path[0] != str(copy):
        sys.path.insert(0, str(copy))  # the forks import the copy's code
    main = sys.modules["__main__"]  # a fork would run it again
    main.__spec__ = None
    main.__dict__.pop("__file__", None)
    multiprocessing.set_forkserver_preload(LOADED)
    forkserver.ensure_running()


def start_fork(copy: Path, command: str, log: Path) -> BaseProcess:
    """A process that runs a stage's command in `copy`, its output to the end of `log`."""
    prepare_forks(copy)
    process = multiprocessing.get_context("forkserver").Process(target=become, args=(copy, command, log))
    process.start()
    return process


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
