"""Run every stage that is out of date as soon as what it needs is there, on all cores or on a cluster.

dvc's own graph says what needs what, and dvc records the results: `dvc repro` afterwards finds nothing to do.
"""

import signal
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path

from stages.parameters import params
from stages.pipeline.cluster import HERE, open_workers
from stages.pipeline.plan import make_plan, pipeline_files
from stages.pipeline.prepare import prepare
from stages.pipeline.run import Run
from stages.pipeline.working_copy import copy_checkout
from stages.running.command import exclusive, run
from stages.running.repository import open_repo


def reproduce(root: Path, targets: Sequence[str], where: str, jobs: int) -> bool:
    """Bring the targets up to date; whether all stages succeeded."""
    settings = params.load(root / params.FILE)
    with alone_in(root), open_repo(root) as checkout:
        plan = make_plan(checkout, targets)
        if not plan.stale:
            print(f"All {len(plan.stages)} stages are up to date.")
            return True
        copy = copy_checkout(checkout, plan)
        print(f"{len(plan.stale)} of {len(plan.stages)} stages are out of date")
        with (
            chdir(copy),
            open_repo(copy) as repo,
            repo.lock,
            open_workers(where, jobs, settings, copy) as workers,
        ):
            print(f"Dashboard: {workers.client.dashboard_link}", flush=True)
            return Run(checkout, repo, plan, workers).to_its_end()


@contextmanager
def alone_in(root: Path) -> Iterator[None]:
    """Hold the checkout; ValueError where another run does."""
    try:
        with exclusive("repro", root, wait=False):
            yield
    except BlockingIOError:
        raise ValueError("another run works in this checkout; wait for it to end, or end it") from None


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument(
        "targets", nargs="*", help="stages or dvc.yaml files; all of the pipeline if none is given"
    )
    parser.add_argument(
        "--cluster", default=HERE, help="slurm, pbs, lsf, sge, htcondor, oar, moab or tls://host:port"
    )
    parser.add_argument("--jobs", type=int, default=8, help="of a cluster, at most")
    parser.add_argument("--scale", help="written to params.yaml first: smoke, small, paper, or another of it")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ended in order, as by Ctrl-C
    root = Path().resolve()
    try:
        prepare(root, arguments.scale)
        targets = arguments.targets or pipeline_files(root)
        succeeded = reproduce(root, targets, arguments.cluster or HERE, arguments.jobs)
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on from here")
    sys.exit(not succeeded)


if __name__ == "__main__":
    run(main)
