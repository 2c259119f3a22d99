"""Open the workers that make cells: processes of this machine, or jobs of a batch system."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Collection, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from ctypes.util import find_library
from pathlib import Path
from typing import Any

from joblib import cpu_count

from stages.cells.code import load_code
from stages.cells.key_files import Key
from stages.core.settings.errors import InputError
from stages.parameters.params import Params
from stages.running.parent import end_with_parent

# forked, so that slow libraries are imported once, and an edit of the code meanwhile reaches no cell
METHOD = "fork" if sys.platform == "linux" else "spawn"
CLUSTER, JOBS = "CLUSTER", "JOBS"  # environment variables: a batch system, and how many of its jobs at most
MOST_JOBS = 8


@contextmanager
def open_workers(root: Path, settings: Params, keys: Collection[Key]) -> Iterator[Executor]:
    """Open a pool for what has these keys: on this machine, or where CLUSTER says."""
    for key in keys:
        load_code(key["code"])  # which processes that are forked then have
    if system := os.environ.get(CLUSTER):
        try:
            from stages.cells.cluster import open_cluster  # Dask, which is an extra
        except ImportError:
            cure = "install it: pip install -e '.[cluster]'"
            raise InputError(f"CLUSTER '{system}' given, which needs dask-jobqueue; {cure}") from None
        with open_cluster(system, read_jobs(), root) as executor:
            yield executor
    else:
        with open_processes(settings, len(keys)) as executor:
            yield executor


def read_jobs() -> int:
    given = os.environ.get(JOBS) or str(MOST_JOBS)
    if not given.isdecimal() or int(given) < 1:
        raise InputError(f"JOBS {given} given, expected 1 or more with CLUSTER, as CLUSTER=slurm JOBS=20")
    return int(given)


@contextmanager
def open_processes(settings: Params, work: int) -> Iterator[Executor]:
    """Open a pool of processes, one for each GPU, else for each core; for each piece of work if they are few.

    Three pieces of two minutes on two cores end after three minutes side by side, after four in turn.
    """
    context: Any = multiprocessing.get_context(METHOD)
    gpus = list_gpus(settings)
    cores = max(cpu_count() // (settings.compute.threads or cpu_count()), 1)
    most = len(gpus) or (work if work <= 2 * cores else cores)
    started = (gpus, context.Value("i", 0))
    executor = ProcessPoolExecutor(max(most, 1), context, start_worker, started)
    try:
        yield executor
    except BaseException:
        for process in list((executor._processes or {}).values()):
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def start_worker(gpus: list[str], count: Any) -> None:
    """Take a GPU if there are any, leave Ctrl-C to the process that started this one, and end with it."""
    with count.get_lock():
        number, count.value = count.value, count.value + 1
    if gpus:
        os.environ["CUDA_VISIBLE_DEVICES"] = gpus[number % len(gpus)]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def list_gpus(settings: Params) -> list[str]:
    """List the GPUs that this process may use; none where the parameters say cpu."""
    if settings.device == "cpu" or not find_library("cuda"):
        return []
    import torch  # takes seconds, so only where there is a driver

    given = os.environ.get("CUDA_VISIBLE_DEVICES")  # not all of a machine's
    return given.split(",") if given else [str(index) for index in range(torch.cuda.device_count())]
