"""Workers of a Dask scheduler of ours, which are jobs of a batch system."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

import dask
from distributed import Future, Status, get_worker

from stages.parameters.errors import InputError
from stages.pipeline.worker import StageOutcome, Workers, prepare_forks, run_forked

SYSTEMS = ("slurm", "pbs", "lsf", "sge", "htcondor", "oar", "moab")  # of dask-jobqueue
SETTINGS = {
    "distributed.scheduler.allowed-failures": 2,  # workers lost under one stage before it is given up
    "distributed.scheduler.unknown-task-duration": "1 minute",
}


@contextmanager
def open_cluster(system: str, jobs: int, stack: bool, copy: Path) -> Iterator[Workers]:
    """The workers in at most `jobs` jobs of a batch system."""
    if system not in SYSTEMS:
        raise InputError(f"CLUSTER '{system}' given, expected one of {', '.join(SYSTEMS)}")
    logging.getLogger("distributed").setLevel(logging.ERROR)  # what matters is said by stages and by us
    with dask.config.set(SETTINGS), import_jobs().start_jobs(system, jobs, copy) as (client, most):
        client.run(prepare_forks, copy)  # they load libraries while dvc reads the pipeline

        def submit(name: str, command: str, log: Path, rank_s: float) -> Future[StageOutcome]:
            key = ("stage", name)
            future: Future[StageOutcome] = client.submit(
                run_on_worker, copy, command, log, key=key, priority=rank_s
            )
            return future

        with suppress(Exception):  # a link in the user's configuration may name variables that are not set
            print(f"Dashboard: {client.dashboard_link}", flush=True)
        yield Workers(submit, most, stack)


def run_on_worker(copy: Path, command: str, log: Path) -> StageOutcome:
    """Run a command on a worker of ours; it is killed where the scheduler is gone."""
    worker = get_worker()
    return run_forked(copy, command, log, {}, lambda: worker.status in (Status.closing, Status.closed))


def import_jobs() -> ModuleType:
    """The module of batch systems; InputError where its library is not installed."""
    try:
        return import_module("stages.pipeline.jobs")
    except ImportError:
        raise InputError(
            "CLUSTER given, which needs dask-jobqueue; install it: pip install -e '.[cluster]'"
        ) from None
