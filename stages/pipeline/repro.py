"""Run every stage that is out of date as soon as what it needs is there, on all cores or on a cluster.

dvc's own graph says what needs what, and dvc records the results: `dvc repro` afterwards finds nothing to do.
"""

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path

from stages.running.command import run


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument(
        "targets", nargs="*", help="stages or dvc.yaml files; all of the pipeline if none is given"
    )
    parser.add_argument("--study", help="of studies/, in place of targets: it, and the report with it")
    parser.add_argument("--cluster", default="here", help="slurm, pbs, lsf, sge, htcondor, oar or moab")
    parser.add_argument("--jobs", type=int, default=8, help="of a cluster, at most")
    parser.add_argument("--scale", help="of params.yaml; another than the one there runs in scales/<scale>")
    chosen = parser.parse_args()
    if chosen.study and chosen.targets:
        parser.error("--study and targets given, expected one of them")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ended in order, as by Ctrl-C
    root = Path().resolve()
    try:
        print("reading the pipeline", flush=True)
        from stages.pipeline.reproduce import reproduce  # dvc, which takes a second

        succeeded = reproduce(root, chosen.targets, chosen.study, chosen.scale, chosen.cluster, chosen.jobs)
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on from here")
    sys.exit(not succeeded)


if __name__ == "__main__":
    run(main)
