"""Run every stage that is out of date as soon as what it needs is there, on all cores or on a cluster.

dvc's own graph says what needs what, and dvc records the results: `dvc repro` afterwards finds nothing to do.
"""

import logging
import os
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path

from dvc.repo import Repo

from stages.parameters import params
from stages.parameters.errors import InputError
from stages.pipeline.plan import REPORT, Plan, make_plan, make_study_plan, pipeline_files
from stages.pipeline.run import StageRun
from stages.pipeline.workers import open_workers
from stages.pipeline.working_copy import bring_checkout, choose_folder, copy_checkout, read_parameters_once
from stages.running.command import exclusive, run
from stages.running.repository import EVERY_STUDY, open_repo

PAGE, STUDY_PAGE = "reports/report.html", "reports/studies/{}/page.html"
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

        expand(root, study, scale)
    with exclusive("make repro", folder):
        shown = f"studies/{study}" if study else EVERY_STUDY if targets else ""
        if folder != root:
            bring_checkout(root, folder, shown)
        with open_repo(folder, shown) as checkout:
            wanted = targets or pipeline_files(folder)
            with read_parameters_once():
                plan = make_study_plan(checkout, study) if study else make_plan(checkout, wanted)
            print(describe(plan), flush=True)
            if study and REPORT not in plan.stages:
                print(f"{PAGE} is left as it is, since other studies have no results in {folder}", flush=True)
            if plan.stale and not run_plan(checkout, shown, plan, where, jobs):
                return False
    page = folder / (STUDY_PAGE.format(study) if study else PAGE)
    if page.exists() and (study or REPORT in plan.stages):
        print(f"Read {os.path.relpath(page, root)}", flush=True)
    return True


def describe(plan: Plan) -> str:
    if not plan.stale:
        return f"All {len(plan.stages)} stages are up to date."
    stages = "1 stage" if len(plan.stale) == 1 else f"{len(plan.stale)} stages"
    return f"{stages} to bring up to date; results that dvc's cache has are taken from it"


def run_plan(checkout: Repo, shown: str, plan: Plan, where: str, jobs: int) -> bool:
    """Bring the stages of a plan that are out of date up to date; whether all of them succeeded.

    shown: as the checkout was opened with it.
    """
    copy = copy_checkout(checkout, plan)
    settings = params.load(copy / params.FILE)
    if any("pe" in dep.params for name in plan.stale for dep in plan.stages[name].params):
        from stages.encodings.interface import resolve  # torch, which takes seconds
        from stages.studies.schemes import explained

        configuration = params.read_configuration("pe", settings.pe)
        with explained(str(configuration.scheme)):
            resolve(configuration)  # a mistake is said now, not behind all others
    with (
        chdir(copy),
        open_workers(where, jobs, settings, copy) as workers,
        open_repo(copy, shown) as repo,
        repo.lock,
        read_parameters_once(),
    ):
        succeeded = StageRun(checkout, repo, plan, workers).to_its_end()
    if REPORT in plan.stale:
        bring_claims(copy, Path(checkout.root_dir))
    return succeeded


def bring_claims(copy: Path, root: Path) -> None:
    """Take over what the report wrote into the copy's README.md; the rest of it is no stage's output."""
    from stages.reporting.readme import README, insert_block, read_block  # pandas, which takes seconds

    if (copy / README).is_file() and (block := read_block(copy)) is not None:
        insert_block(root, block)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument(
        "targets", nargs="*", help="stages or dvc.yaml files; all of the pipeline if none is given"
    )
    parser.add_argument("--study", help="of studies/, in place of targets: it, and the report with it")
    parser.add_argument("--cluster", default="here", help="slurm, pbs, lsf, sge, htcondor, oar or moab")
    parser.add_argument("--jobs", type=int, help="of a cluster, at most; 8 if it is not given")
    parser.add_argument("--scale", help="of params.yaml; another than the one there runs in scales/<scale>")
    chosen = parser.parse_args()
    if chosen.study and chosen.targets:
        parser.error("--study and targets given, expected one of them")
    if chosen.jobs is not None and (chosen.cluster == "here" or chosen.jobs < 1):
        raise InputError(
            f"JOBS {chosen.jobs} given, expected 1 or more beside CLUSTER, as CLUSTER=slurm JOBS=20"
        )
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ended in order, as by Ctrl-C
    root = Path().resolve()
    jobs = chosen.jobs or 8
    print("reading the pipeline", flush=True)
    sys.exit(not reproduce(root, chosen.targets, chosen.study, chosen.scale, chosen.cluster, jobs))


if __name__ == "__main__":
    run(main)
