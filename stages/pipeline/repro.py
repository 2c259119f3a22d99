"""Run every stage that is out of date as soon as what it needs is there, on all cores or on a cluster.

dvc's own graph says what needs what, and dvc records the results: `dvc repro` afterwards finds nothing to do.
"""

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path

from stages.running.command import run


def main() -> None:
    from stages.pipeline.reproduce import reproduce  # here, since every worker imports this file

    parser = ArgumentParser(description=__doc__)
    parser.add_argument(
        "targets", nargs="*", help="stages or dvc.yaml files; all of the pipeline if none is given"
    )
    parser.add_argument(
        "--cluster", default="here", help="slurm, pbs, lsf, sge, htcondor, oar, moab or tls://host:port"
    )
    parser.add_argument("--jobs", type=int, default=8, help="of a cluster, at most")
    parser.add_argument("--scale", help="written to params.yaml first: smoke, small, paper, or another of it")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ended in order, as by Ctrl-C
    try:
        succeeded = reproduce(
            Path().resolve(), arguments.targets, arguments.cluster, arguments.jobs, arguments.scale
        )
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on from here")
    sys.exit(not succeeded)


if __name__ == "__main__":
    run(main)
