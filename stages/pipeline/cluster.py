"""Where stages run: processes of this machine, jobs of a cluster, or the workers of a Dask scheduler."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes.util import find_library
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

import dask
from distributed import Client, Nanny, Scheduler, SpecCluster
from distributed.security import Security

from stages.parameters.params import Params
from stages.pipeline.worker import Outcome, run_stage, run_stage_anew

HERE = "here"
SYSTEMS = {  # as users call them, and their classes in dask-jobqueue
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "lsf": "LSFCluster",
    "sge": "SGECluster",
    "htcondor": "HTCondorCluster",
    "oar": "OARCluster",
    "moab": "MoabCluster",
}
THIS_MACHINE = "127.0.0.1"
SILENCE = logging.CRITICAL  # of workers here: one that is told late that all has ended calls it an error
SCRATCH = Path(".dvc/tmp/dask")  # of workers, in the working copy
WAIT_S = 60  # for the first worker of a scheduler that is there
SETTINGS = {
    "distributed.worker.daemon": False,  # a worker starts processes of its own
    "distributed.scheduler.allowed-failures": 2,  # workers lost under one stage before it is given up
    "distributed.scheduler.unknown-task-duration": "1 minute",
    # for stages of seconds; Dask's usual looks many times a second take an eighth of a busy core
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}


@dataclass(frozen=True)
class Workers:
    """Those who run stages: at most `most` at a time."""

    client: Client
    most: int
    stack: bool  # cells of one shape: they train faster so on a GPU
    run: Callable[[Path, str, str, Path], Outcome] = run_stage  # a stage's command in a working copy


@contextmanager
def open_workers(where: str, jobs: int, settings: Params, copy: Path) -> Iterator[Workers]:
    """The workers that `where` names; those that this starts end with it.

    where: "here", a batch system that dask-jobqueue names, or the address of a Dask scheduler.
    """
    logging.getLogger("distributed").setLevel(logging.ERROR)  # what matters is said by stages and by us
    with dask.config.set(SETTINGS):
        if "://" in where:
            with connect(where, copy) as client:
                most = sum(client.nthreads().values())
                yield Workers(client, most, settings.device == "cuda", run_stage_anew)
        elif where == HERE:
            with deaf_to_ctrl_c():
                environments = list_workers(settings)
                cluster = start_here(environments, copy / SCRATCH)
            with cluster, Client(cluster) as client:
                yield Workers(client, len(environments), bool(environments[0]))
        elif where not in SYSTEMS:
            raise ValueError(
                f"CLUSTER '{where}' given, expected one of {', '.join(SYSTEMS)}, or the address of a Dask "
                "scheduler, tls://host:port"
            )
        else:
            with import_jobs().start_jobs(where, jobs, copy) as (client, most):
                yield Workers(client, most, settings.device == "cuda")


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Processes started inside it leave Ctrl-C, which reaches all of a terminal, to this one."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def import_jobs() -> ModuleType:
    """The module of batch systems; ValueError where its library is not installed."""
    try:
        return import_module("stages.pipeline.jobs")
    except ImportError:
        raise ValueError(
            "CLUSTER given, which needs dask-jobqueue; install it: pip install -e '.[cluster]'"
        ) from None


@contextmanager
def connect(address: str, copy: Path) -> Iterator[Client]:
    """A client of a scheduler that is there, with the TLS settings of the user's Dask configuration."""
    try:
        client = Client(address, timeout="10 s")
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(
            f"no Dask scheduler answers at {address} ({error}); expected tls://host:port, with its TLS "
            "files in ~/.config/dask (distributed.comm.tls)"
        ) from None
    with client:
        # workers import this project from the working copy
        client.register_worker_callbacks(lambda: sys.path.insert(0, str(copy)))
        try:
            client.wait_for_workers(1, timeout=WAIT_S)
        except TimeoutError:
            raise ValueError(
                f"the Dask scheduler at {address} has had no worker for {WAIT_S} s; expected one at least, "
                f"start it: dask worker {address}"
            ) from None
        yield client


def start_here(environments: Sequence[Mapping[str, str]], scratch: Path) -> SpecCluster:
    """Worker processes of this machine with these environment variables. Only this user can speak to them."""
    security = Security.temporary()
    network = {"host": THIS_MACHINE, "protocol": "tls", "security": security}
    worker = {
        "nthreads": 1,
        "memory_limit": 0,
        "local_directory": str(scratch),
        "silence_logs": SILENCE,
        **network,
    }
    return SpecCluster(
        scheduler={"cls": Scheduler, "options": {**network, "dashboard_address": f"{THIS_MACHINE}:0"}},
        workers={
            index: {"cls": Nanny, "options": {**worker, "env": variables}}
            for index, variables in enumerate(environments)
        },
        security=security,
        silence_logs=SILENCE,
    )


def list_workers(settings: Params) -> list[dict[str, str]]:
    """Environment variables of each worker of this machine: one per GPU, else one per core."""
    if settings.device != "cpu" and find_library("cuda"):
        import torch  # takes seconds, so only where there is a driver

        if torch.cuda.is_available():
            given = os.environ.get("CUDA_VISIBLE_DEVICES")  # not all of a machine's
            names = given.split(",") if given else map(str, range(torch.cuda.device_count()))
            return [{"CUDA_VISIBLE_DEVICES": name} for name in names]
    cores = len(os.sched_getaffinity(0))
    return [{}] * max(1, cores // (settings.compute.threads or cores))
