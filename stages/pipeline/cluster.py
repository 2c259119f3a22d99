"""Workers of a Dask scheduler: one that is there, or one of ours whose workers are jobs of a batch system."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

import dask
from distributed import Client, Future, Status, get_worker

from stages.parameters.errors import InputError
from stages.pipeline.worker import StageOutcome, Workers, prepare_forks, run_anew, run_forked

SYSTEMS = ("slurm", "pbs", "lsf", "sge", "htcondor", "oar", "moab")  # of dask-jobqueue
WAIT_S = 60  # for the first worker of a scheduler that is there
SETTINGS = {
    "distributed.scheduler.allowed-failures": 2,  # workers lost under one stage before it is given up
    "distributed.scheduler.unknown-task-duration": "1 minute",
}


@contextmanager
def open_cluster(where: str, jobs: int, stack: bool, copy: Path) -> Iterator[Workers]:
    """The workers of a scheduler at an address, or those in at most `jobs` jobs of a batch system."""
    logging.getLogger("distributed").setLevel(logging.ERROR)  # what matters is said by stages and by us
    with dask.config.set(SETTINGS):
        if "://" in where:
            with connect(where, copy) as client:
                # they run other things too and may have other code loaded: each stage in a new Python
                yield make_workers(client, sum(client.nthreads().values()), stack, copy, run_anew)
        elif where in SYSTEMS:
            with import_jobs().start_jobs(where, jobs, copy) as (client, most):
                client.run(prepare_forks, copy)  # they load libraries while dvc reads the pipeline
                yield make_workers(client, most, stack, copy, run_on_worker)
        else:
            raise InputError(
                f"CLUSTER '{where}' given, expected one of {', '.join(SYSTEMS)}, or the address of a Dask "
                "scheduler, tls://host:port"
            )


def make_workers(
    client: Client, most: int, stack: bool, copy: Path, run: Callable[[Path, str, Path], StageOutcome]
) -> Workers:
    def submit(name: str, command: str, log: Path, rank_s: float) -> Future[StageOutcome]:
        return client.submit(run, copy, command, log, key=("stage", name), priority=rank_s)

    with suppress(Exception):  # a link in the user's configuration may name variables that are not set here
        print(f"Dashboard: {client.dashboard_link}", flush=True)
    return Workers(submit, most, stack)


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


@contextmanager
def connect(address: str, copy: Path) -> Iterator[Client]:
    """A client of a scheduler that is there, with the TLS settings of the user's Dask configuration."""
    try:
        client = Client(address, timeout="10 s")
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            f"no Dask scheduler answers at {address} ({error}); expected tls://host:port, with its TLS "
            "files in ~/.config/dask (distributed.comm.tls)"
        ) from None
    with client:
        # workers import this project from the working copy
        client.register_worker_callbacks(lambda: sys.path.insert(0, str(copy)))
        try:
            client.wait_for_workers(1, timeout=WAIT_S)
        except TimeoutError:
            raise InputError(
                f"the Dask scheduler at {address} has had no worker for {WAIT_S} s; expected one at least, "
                f"start it: dask worker {address}"
            ) from None
        yield client
