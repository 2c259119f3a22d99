"""Where stages run: processes of this machine, or jobs of a batch system."""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from ctypes.util import find_library
from pathlib import Path
from queue import SimpleQueue
from threading import Event

from dask.system import cpu_count

from stages.parameters.errors import InputError
from stages.parameters.params import Params
from stages.pipeline.worker import StageOutcome, Workers, prepare_forks, run_forked

HERE = "here"


@contextmanager
def open_workers(where: str, jobs: int, settings: Params, copy: Path) -> Iterator[Workers]:
    """The workers that `where` names; those that this starts end with it.

    where: "here", or a batch system that dask-jobqueue names.
    """
    if where == HERE:
        with start_here(list_environments(settings), copy) as workers:
            yield workers
    else:
        try:
            from stages.pipeline.cluster import open_cluster  # Dask, which takes a second
        except ImportError:
            cure = "install it: pip install -e '.[cluster]'"
            raise InputError(f"CLUSTER '{where}' given, which needs dask-jobqueue; {cure}") from None
        with open_cluster(where, jobs, copy) as workers:
            yield workers


@contextmanager
def start_here(environments: list[dict[str, str]], copy: Path) -> Iterator[Workers]:
    """A worker of this machine for each mapping of environment variables."""
    prepare_forks(copy)
    over = Event()
    free: SimpleQueue[dict[str, str]] = SimpleQueue()
    for variables in environments:
        free.put(variables)

    def run(command: str, log: Path) -> StageOutcome:
        variables = free.get()
        try:
            return run_forked(copy, command, log, variables, over.is_set)
        finally:
            free.put(variables)

    def submit(name: str, command: str, log: Path, priority: float) -> Future[StageOutcome]:
        return pool.submit(run, command, log)

    with ThreadPoolExecutor(len(environments)) as pool:
        try:
            yield Workers(submit, len(environments))
        finally:
            over.set()
            pool.shutdown(cancel_futures=True)


def list_environments(settings: Params) -> list[dict[str, str]]:
    """Environment variables of each worker of this machine: one per GPU, else one per core."""
    if settings.device != "cpu" and find_library("cuda"):
        import torch  # takes seconds, so only where there is a driver

        if torch.cuda.is_available():
            given = os.environ.get("CUDA_VISIBLE_DEVICES")  # not all of a machine's
            names = given.split(",") if given else map(str, range(torch.cuda.device_count()))
            return [{"CUDA_VISIBLE_DEVICES": name} for name in names]
    cores = cpu_count()  # that this process may use, as in a container
    return [{}] * max(1, cores // (settings.compute.threads or cores))
