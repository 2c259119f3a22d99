"""Reproducible on this machine? Run stages again in a copy and compare what comes out with the artifacts.

Writes reports/replay.html; exit status 1 if something differs beyond the tolerances of
stages/reviewing/comparison.py.
"""

import argparse
from pathlib import Path

from stages.files import artifacts
from stages.parameters import params
from stages.reporting.page import page
from stages.reviewing import pipeline, provenance, records, replay_report, rerun
from stages.reviewing.comparison import Compared, Outcome, compare
from stages.running.command import exclusive, run

SCRATCH = "data/.replay.part"
REPORT = "reports/replay.html"


def replay(root: Path, names: list[str], settings: list[str]) -> list[Compared]:
    """Run those stages again, the whole pipeline if none is named, and compare every file of theirs.

    settings: `key=value` of params.yaml about how training computes, changed in the copy alone.
    """
    everything = pipeline.list_stages(root)
    chosen = pipeline.select(everything, names)
    here = provenance.collect(root, rerun.apply_settings(params.read(root / params.FILE), settings))
    notes = []
    if old := pipeline.list_outdated(root, chosen):
        notes.append(
            f"Artifacts of {len(old)} stages are older than their code, parameters or inputs "
            f"({', '.join(old[:5])}{', …' * (len(old) > 5)}): `make repro` first, or expect differences."
        )
    rerun.prepare(root, root / SCRATCH, chosen, here)
    published = records.read_sums(root) if (root / records.SUMS).is_file() else {}
    compared: list[Compared] = []
    outcomes: dict[str, Outcome] = {}
    for stage in rerun.run_stages(chosen, root / SCRATCH):
        files = compare(stage, root, root / SCRATCH, outcomes, published)
        outcomes |= {file.path: file.outcome for file in files}
        compared += files
    differences = []
    if (record := root / provenance.PROVENANCE).is_file():
        differences = provenance.list_differences(artifacts.read_json(record), here)
    else:
        notes.append(f"The artifacts' machine is not known: no {provenance.PROVENANCE}.")
    sections = replay_report.build_sections(compared, differences, notes)
    subtitle = f"{len(chosen)} of {len(everything)} stages, scale {here['scale']}"
    html = page("Reproducible on this machine?", subtitle, sections)
    artifacts.write_bytes(root / REPORT, html.encode())
    told = [f"{what}: {published} published, {here} here" for what, published, here in differences]
    print("", *replay_report.format_lines(compared), "", *notes, *told, sep="\n")
    return compared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "stages", nargs="*", help="names as in train, grid:train or grid:train@learned_s020; none: all"
    )
    parser.add_argument(
        "--set", action="append", default=[], help="device=… or compute.…=…, for this replay alone"
    )
    arguments = parser.parse_args()
    params.load()  # a mistake in the file is said in one line
    with exclusive("replay"):
        compared = replay(Path(), arguments.stages, arguments.set)
    verdict = replay_report.state_verdict(compared)
    print(f"{REPORT} has it all")
    if any(file.outcome is Outcome.DIFFERENT for file in compared):
        raise ValueError(verdict)
    print(verdict)


if __name__ == "__main__":
    run(main)
