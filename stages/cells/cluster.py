"""Workers as jobs of a batch system, through Dask: Slurm, PBS, LSF, SGE, HTCondor, OAR, Moab.

What the site needs (partition, account, cores and memory of a job, network interface) stands in the user's
Dask configuration, ~/.config/dask/jobqueue.yaml.
"""

import logging
import re
import shlex
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import dask
import dask_jobqueue
from distributed import Client, SpecCluster
from distributed.deploy.utils import nprocesses_nthreads
from distributed.security import Security

from stages.cells.job_scaling import Scaling
from stages.core.settings.errors import InputError, one_of
from stages.kernels import OF_STAGES

# importing dask_jobqueue made Ctrl-C exit with status 0
signal.signal(signal.SIGINT, signal.default_int_handler)

SYSTEMS = ("slurm", "pbs", "lsf", "sge", "htcondor", "oar", "moab")  # of dask-jobqueue
SETTINGS = {
    "distributed.scheduler.allowed-failures": 2,  # workers lost under one cell before it is given up
    "distributed.scheduler.unknown-task-duration": "1 minute",
}
# workers weigh each message that they send, by Python's own random numbers, which no encoding may draw from
OF_WORKERS = {"DASK_DISTRIBUTED__COMM__OFFLOAD": "False"}
SITE = "~/.config/dask/jobqueue.yaml"
OUTPUT = Path(".dvc/tmp/jobs")  # of jobs
ENDED = "the job ended with status"
LOUD = ("distributed", "distributed.client", "tornado", "tornado.application")  # loggers with a level of Dask
HINT_S = 30  # between two lines that say what is waited for


@contextmanager
def open_cluster(system: str, jobs: int, root: Path) -> Iterator[Executor]:
    """Open a pool of workers in at most `jobs` jobs of a batch system."""
    if system not in SYSTEMS:
        raise InputError(f"CLUSTER '{system}' given, expected one of {', '.join(SYSTEMS)}")
    check_site(system)
    for name in LOUD:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is said by cells and by us
    with dask.config.set(SETTINGS), start_jobs(system, jobs, root) as client:
        with suppress(Exception):  # a link in the user's configuration may name variables that are not set
            print(f"Dashboard: {client.dashboard_link}", flush=True)
        yield client.get_executor(pure=False)


def check_site(system: str) -> None:
    """Raise InputError unless the user's configuration says what a job of the site is, in words of Dask."""
    known = next(each["jobqueue"] for each in dask.config.defaults if "jobqueue" in each)[system]
    given = dask.config.get(f"jobqueue.{system}")
    if missing := [key for key in ("cores", "memory") if not given.get(key)]:
        raise InputError(
            f"{' and '.join(missing)} of a {system} job not given in {SITE}, expected such as "
            f"`jobqueue: {{{system}: {{cores: 4, memory: 16GB}}}}`; stages/cells/README.md shows more"
        )
    for key in given:
        if key.replace("_", "-") not in known:
            raise InputError(f"jobqueue.{system}.{key} in {SITE} is not known; expected {one_of(key, known)}")


@contextmanager
def start_jobs(system: str, jobs: int, root: Path) -> Iterator[Client]:
    """Start a first job, and then at most `jobs` of them, as many as there is work for.

    Raises InputError where the first job is refused or ends before its worker is there.
    """
    output = root / OUTPUT
    output.mkdir(parents=True, exist_ok=True)
    try:
        made = make_cluster(system, root)
    except (RuntimeError, TypeError, ValueError) as error:  # of Dask, for what it cannot use
        raise InputError(f"{system}: {' '.join(str(error).split())}; correct {SITE}") from None
    earlier = set(output.iterdir())
    with made as cluster, Client(cluster) as client:
        ((name, job),) = cluster.new_worker_spec().items()
        first = job["cls"](cluster.scheduler_address, name=name, **job["options"])
        try:
            cluster.sync(first.start)
        except RuntimeError as error:
            refusal = re.sub(r"(?s).*stderr:", "", str(error)).strip()
            raise InputError(f"{system} refused a job: {refusal}; correct {SITE}") from None
        cluster.workers[name], cluster.worker_spec[name] = first, job
        wait_for_worker(client, f"{system} job {first.job_id}", output, earlier)
        cluster.adapt(Scaling, minimum_jobs=0, maximum_jobs=jobs)
        yield client


def make_cluster(system: str, root: Path) -> SpecCluster:
    """Make a cluster without jobs yet. Its traffic is encrypted, since a scheduler runs what it is sent.

    Jobs work in the project's root. Their files are named relative to it: batch
    systems read a path's quotes and % in ways of their own.
    """
    prologue = dask.config.get(f"jobqueue.{system}.job-script-prologue") or []
    arguments = dask.config.get(f"jobqueue.{system}.worker-extra-args") or []
    processes = dask.config.get(f"jobqueue.{system}.processes")
    usual, _ = nprocesses_nthreads(dask.config.get(f"jobqueue.{system}.cores"))
    classes = {name.lower(): each for name, each in vars(dask_jobqueue).items()}
    cluster_class: Callable[..., SpecCluster] = classes[f"{system}cluster"]
    return cluster_class(
        job_script_prologue=[
            "exec 2>&1",  # errors and the end in one file
            f"trap 'echo {ENDED} $?' EXIT",
            f"cd {shlex.quote(str(root))}",
            *(f"export {name}={shlex.quote(value)}" for name, value in {**OF_STAGES, **OF_WORKERS}.items()),
            *prologue,
        ],
        worker_extra_args=[*arguments, "--nthreads", "1"],  # a cell at a time in each process
        processes=processes or usual,  # said once more, since Dask counts jobs as workers otherwise
        python=dask.config.get(f"jobqueue.{system}.python") or shlex.quote(sys.executable),
        log_directory=str(OUTPUT),
        shared_temp_directory=str(OUTPUT),
        security=Security.temporary(),
        protocol="tls://",
        scheduler_options={"dashboard_address": "127.0.0.1:0"},
    )


def wait_for_worker(client: Client, job: str, output: Path, earlier: Collection[Path]) -> None:
    """Wait for the first worker; InputError where its job ended instead, as without the environment.

    earlier: output of jobs before.
    """
    said_at = monotonic()
    while not client.nthreads():
        for path in set(output.glob("*.out")).difference(earlier):
            lines = path.read_bytes().decode(errors="replace").strip().splitlines()[-3:]
            if lines and lines[-1].startswith(ENDED):
                raise InputError(f"{job} ended before its worker started: {' '.join(lines)} ({path})")
        if monotonic() - said_at > HINT_S:
            print(f"waiting for {job} to start", flush=True)
            said_at = monotonic()
        sleep(0.5)
