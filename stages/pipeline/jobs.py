"""Workers as jobs of a batch system: Slurm, PBS, LSF, SGE, HTCondor, OAR, Moab.

What the site needs (partition, account, cores and memory of a job, network interface) stands in the user's
Dask configuration, ~/.config/dask/jobqueue.yaml.
"""

import re
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import dask
import dask_jobqueue
from distributed import Client, SpecCluster
from distributed.security import Security

from stages.parameters.errors import InputError

# importing dask_jobqueue made Ctrl-C exit with status 0
signal.signal(signal.SIGINT, signal.default_int_handler)

OUTPUT = Path(".dvc/tmp/jobs")  # of jobs, in the working copy
ENDED = "the job ended with status"
HINT_S = 30  # between two lines that say what is waited for


@contextmanager
def start_jobs(system: str, jobs: int, copy: Path) -> Iterator[tuple[Client, int]]:
    """A client, and how many stages run at once in at most `jobs` jobs; there are fewer with less to run.

    Raises InputError where the first job is refused or ends before its worker is there.
    """
    output = copy / OUTPUT
    output.mkdir(parents=True, exist_ok=True)
    with make_cluster(system, copy) as cluster, Client(cluster) as client:
        job_class, options = cluster.new_spec["cls"], cluster.new_spec["options"]
        first = job_class(cluster.scheduler_address, name="first", **options)
        try:
            cluster.sync(first.start)
        except RuntimeError as error:
            refusal = re.sub(r"(?s).*stderr:", "", str(error)).strip()
            raise InputError(
                f"{system} refused a job: {refusal}; mend ~/.config/dask/jobqueue.yaml"
            ) from None
        try:
            wait_for_worker(client, f"{system} job {first.job_id}", output)
            cluster.adapt(minimum_jobs=0, maximum_jobs=jobs - 1)
            yield client, jobs * first.worker_processes
        finally:
            cluster.sync(first.close)


def make_cluster(system: str, copy: Path) -> SpecCluster:
    """A cluster without jobs yet; its traffic is encrypted, since a scheduler runs what it is sent.

    Jobs are submitted from the working copy and work there. Their files are named relative to it: batch
    systems read a path's quotes and % in ways of their own.
    """
    prologue = dask.config.get(f"jobqueue.{system}.job-script-prologue") or []
    arguments = dask.config.get(f"jobqueue.{system}.worker-extra-args") or []
    classes = {name.lower(): each for name, each in vars(dask_jobqueue).items()}
    cluster_class: Callable[..., SpecCluster] = classes[f"{system}cluster"]
    return cluster_class(
        job_script_prologue=[
            "exec 2>&1",  # errors and the end in one file
            f"trap 'echo {ENDED} $?' EXIT",
            f"cd {shlex.quote(str(copy))}",
            "export DASK_DISTRIBUTED__WORKER__DAEMON=False",  # workers start processes of their own
            *prologue,
        ],
        worker_extra_args=[*arguments, "--nthreads", "1"],  # a stage at a time in each process
        python=dask.config.get(f"jobqueue.{system}.python") or shlex.quote(sys.executable),
        log_directory=str(OUTPUT),
        shared_temp_directory=str(OUTPUT),
        security=Security.temporary(),
        protocol="tls://",
        scheduler_options={"dashboard_address": "127.0.0.1:0"},
    )


def wait_for_worker(client: Client, job: str, output: Path) -> None:
    """Wait for the first worker; InputError where its job ended instead, as without the environment."""
    said_at = monotonic()
    while not client.nthreads():
        for path in output.glob("*.out"):
            lines = path.read_bytes().decode(errors="replace").strip().splitlines()[-3:]
            if lines and lines[-1].startswith(ENDED):
                raise InputError(f"{job} ended before it worked: {' '.join(lines)} ({path})")
        if monotonic() - said_at > HINT_S:
            print(f"waiting for {job} to start", flush=True)
            said_at = monotonic()
        sleep(0.5)
