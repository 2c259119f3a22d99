"""Reproducible on this machine? Run stages again in a copy and compare what comes out with the artifacts.

Writes reports/replay.html; exit status 1 if something differs beyond the tolerances of
stages/reviewing/tolerances.py.
"""

import argparse
from pathlib import Path
from typing import Any

from dvc.exceptions import DvcException

from stages.files import artifacts
from stages.parameters import params
from stages.reporting.page import page
from stages.reviewing import pipeline, provenance, replay_report, rerun, scratch, sums
from stages.reviewing.comparison import Compared, compare
from stages.reviewing.differences import differences
from stages.reviewing.tolerances import Outcome
from stages.running.command import alone, run

ROOT = Path(".")
SCRATCH = Path("data/.replay.part")
PUBLISHED = Path(provenance.PROVENANCE)
REPORT = Path("reports/replay.html")


def replay(names: list[str], settings: list[str]) -> list[Compared]:
    """Run those stages again, all if none is named; how every file of theirs came out.

    settings: `key=value` of params.yaml about how training computes, changed in the copy alone.
    """
    everything = pipeline.stages(ROOT)
    chosen = pipeline.named(everything, names)
    parameters = scratch.with_settings(scratch.load(ROOT), settings)
    here = provenance.collect(ROOT, parameters)
    notes = []
    if old := pipeline.outdated(ROOT, chosen):
        notes.append(
            f"Artifacts of {len(old)} stages are older than their code, parameters or inputs "
            f"({', '.join(old[:5])}{', …' * (len(old) > 5)}): `make repro` first, or expect differences."
        )
    done = rerun.prepare(ROOT, SCRATCH, chosen, parameters, _machine(here))
    published = (
        {path: one.sha256 for path, one in sums.read(ROOT).items()} if Path(sums.SUMS).is_file() else {}
    )
    compared: list[Compared] = []
    outcomes: dict[str, Outcome] = {}
    for stage in rerun.run(chosen, SCRATCH, done):
        found = compare(stage, ROOT, SCRATCH, outcomes, published)
        outcomes |= {one.path: one.outcome for one in found}
        compared += found
    apart = differences(artifacts.read_json(PUBLISHED), here) if PUBLISHED.is_file() else []
    if not PUBLISHED.is_file():
        notes.append(f"The artifacts' machine is not known: no {PUBLISHED}.")
    sections = replay_report.sections(compared, apart, notes)
    subtitle = f"{len(chosen)} of {len(everything)} stages, scale {here['scale']}"
    artifacts.write_bytes(REPORT, page("Reproducible on this machine?", subtitle, sections).encode())
    print(*["", *replay_report.lines(compared), "", *notes], sep="\n")
    print(*(f"{one.what}: {one.published} published, {one.here} here" for one in apart), sep="\n")
    return compared


def _machine(record: dict[str, Any]) -> dict[str, Any]:
    """What of the provenance decides bytes beside code and inputs."""
    return {
        key: record[key]
        for key in ("device", "versions", "python", "machine", "threads", "gpu", "determinism")
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "stages", nargs="*", help="names in dvc.yaml, with or without @; all if none is given"
    )
    parser.add_argument(
        "--set", action="append", default=[], help="device=… or compute.…=…, for this replay alone"
    )
    given = parser.parse_args()
    params.load()  # a mistake in the file is said in one line
    try:
        with alone("the copy of a replay"):
            compared = replay(given.stages, given.set)
    except DvcException as error:
        raise ValueError(f"dvc: {error}") from None
    verdict = replay_report.verdict(compared)
    print(f"{REPORT} has it all")
    if any(one.outcome is Outcome.DIFFERENT for one in compared):
        raise ValueError(verdict)
    print(verdict)


if __name__ == "__main__":
    run(main)
