"""One run in a checkout: plan it, copy the checkout, open the workers, run."""

import logging
import os
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path

from dvc.repo import Repo

from stages.parameters import params
from stages.pipeline.plan import REPORT, Plan, make_plan, make_study_plan, pipeline_files
from stages.pipeline.run import StageRun
from stages.pipeline.scales import bring_checkout, choose_folder
from stages.pipeline.workers import open_workers
from stages.pipeline.working_copy import copy_checkout, read_parameters_once
from stages.running.command import exclusive
from stages.running.repository import open_repo

PAGE = Path("reports/report.html")
logging.getLogger("dvc").setLevel(logging.WARNING)  # else a line for each stage that its cache has


def reproduce(
    root: Path, targets: Sequence[str], study: str | None, scale: str | None, where: str, jobs: int
) -> bool:
    """Bring a study, or the targets, or the pipeline, up to date; whether all stages succeeded.

    Waits, and says so, while another run works in this checkout.
    """
    folder = choose_folder(root, scale)
    if study:
        from stages.studies.expand import expand  # torch, which takes seconds

        expand(root, study)
    with exclusive("make repro", folder):
        if folder != root:
            bring_checkout(root, folder)
        with open_repo(folder) as checkout:
            wanted = targets or pipeline_files(folder)
            plan = make_study_plan(checkout, study) if study else make_plan(checkout, wanted)
            print(describe(plan), flush=True)
            if plan.stale and not run_plan(checkout, plan, where, jobs):
                return False
    if (page := folder / PAGE).exists():
        print(f"Read {os.path.relpath(page, root)}", flush=True)
    return True


def describe(plan: Plan) -> str:
    if not plan.stale:
        return f"All {len(plan.stages)} stages are up to date."
    return f"{len(plan.stale)} stages to bring up to date; results that dvc's cache has are taken from it"


def run_plan(checkout: Repo, plan: Plan, where: str, jobs: int) -> bool:
    """Bring the stages of a plan that are out of date up to date; whether all of them succeeded."""
    copy = copy_checkout(checkout, plan)
    settings = params.load(copy / params.FILE)
    if any("pe" in dep.params for name in plan.stale for dep in plan.stages[name].params):
        from stages.encodings.interface import resolve  # torch, which takes seconds

        resolve(params.read_configuration("pe", settings.pe))  # a mistake is said now, not behind all others
    with (
        chdir(copy),
        open_workers(where, jobs, settings, copy) as workers,
        open_repo(copy) as repo,
        repo.lock,
        read_parameters_once(),
    ):
        succeeded = StageRun(checkout, repo, plan, workers).to_its_end()
    if REPORT in plan.stale:
        bring_claims(copy, Path(checkout.root_dir))
    return succeeded


def bring_claims(copy: Path, root: Path) -> None:
    """Take over what the report wrote into the copy's README.md; the rest of it is no stage's output."""
    from stages.reporting.readme import BEGIN, END, README, insert_block  # pandas, which takes seconds

    if (copy / README).is_file():
        _, begin, rest = (copy / README).read_bytes().partition(BEGIN)
        if begin:
            insert_block(root, rest.partition(END)[0].decode())
