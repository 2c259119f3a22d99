"""One run in a checkout: plan it, copy the checkout, open the workers, run."""

from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path

from stages.parameters import params
from stages.pipeline.cluster import open_workers
from stages.pipeline.forks import prepare_forks
from stages.pipeline.plan import make_plan, pipeline_files
from stages.pipeline.prepare import prepare
from stages.pipeline.run import Run
from stages.pipeline.working_copy import copy_checkout, read_parameters_once
from stages.running.command import exclusive
from stages.running.repository import open_repo


def reproduce(root: Path, targets: Sequence[str], where: str, jobs: int, scale: str | None) -> bool:
    """Bring the targets, or the pipeline, up to date; whether all stages succeeded.

    Waits, and says so, while another run works in this checkout.
    """
    prepare(root, scale)
    settings = params.load(root / params.FILE)
    with exclusive("make repro", root), open_repo(root) as checkout:
        plan = make_plan(checkout, targets or pipeline_files(root))
        if not plan.stale:
            print(f"All {len(plan.stages)} stages are up to date.")
            return True
        print(f"{len(plan.stale)} of {len(plan.stages)} stages are out of date", flush=True)
        copy = copy_checkout(checkout, plan)
        with chdir(copy), open_workers(where, jobs, settings, copy) as workers:
            print(f"Dashboard: {workers.client.dashboard_link}", flush=True)
            workers.client.run(prepare_forks, copy)  # they load libraries while dvc reads the pipeline
            with open_repo(copy) as repo, repo.lock, read_parameters_once():
                return Run(checkout, repo, plan, workers).to_its_end()
