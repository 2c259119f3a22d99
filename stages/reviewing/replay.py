"""Reproducible on this machine? Run stages again in a copy and compare what comes out with the artifacts.

Writes reports/replay.html; exit status 1 if something differs beyond the tolerances of
stages/reviewing/comparison.py, or if the report's conclusions change.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from stages.files import artifacts
from stages.files.hashing import hash_files
from stages.parameters import params
from stages.pipeline.cluster import list_workers
from stages.reporting.page import page
from stages.reviewing import pipeline, provenance, records, replays, rerun
from stages.reviewing.comparison import Compared, Outcome, compare
from stages.reviewing.conclusions import Conclusion, conclude, judge_conclusions
from stages.reviewing.verdict import build_sections, format_lines, state_verdict
from stages.reviewing.withheld import list_runnable
from stages.running.command import exclusive, run

SCRATCH = "data/.replay.part"
REPORT = "reports/replay.html"


class Replayed(NamedTuple):
    files: list[Compared]
    conclusions: list[Conclusion]


def replay(root: Path, names: list[str], settings: list[str]) -> Replayed:
    """Run those stages again, the whole pipeline if none is named, and compare every file of theirs.

    settings: `key=value` of params.yaml about how training computes, changed in the copy alone.
    """
    everything = pipeline.list_stages(root)
    asked = pipeline.select(everything, names)
    chosen = list_runnable(root, asked, records.list_withheld(root))
    notes = []
    if without := [stage.name for stage in asked if stage not in chosen]:
        notes.append(
            f"Left out are {len(without)} of {len(asked)} stages, which need what is neither published nor "
            f"here ({shorten(without)})."
        )
    if not chosen:
        raise ValueError(f"{notes[0]} Ask the authors for the recordings, or replay what is behind them.")
    here = provenance.collect(root, rerun.apply_settings(params.read(root / params.FILE), settings))
    if old := pipeline.list_outdated(root, chosen):
        notes.append(
            f"Artifacts of {len(old)} stages are older than their code, parameters or inputs "
            f"({shorten(old)}): `make repro` first, or expect differences."
        )
    rerun.prepare(root, root / SCRATCH, chosen, here)
    published = records.read_sums(root / records.SUMS) if (root / records.SUMS).is_file() else {}
    files_of: dict[str, list[Compared]] = {}
    outcomes: dict[str, Outcome] = {}
    at_once = len(list_workers(params.from_values(here["params"])))
    for stage in rerun.run_stages(chosen, root / SCRATCH, at_once):
        files = compare(stage, root, root / SCRATCH, outcomes, published)
        outcomes |= {file.path: file.outcome for file in files}
        files_of[stage.name] = files
    measured = [file for stage in chosen for file in files_of[stage.name]]
    conclusions = judge_conclusions(root, root / SCRATCH, measured)
    compared = conclude(measured, conclusions)
    differences = []
    sums = published | hash_files(root, [file.path for file in compared])
    if (record := root / records.PROVENANCE).is_file():
        differences = provenance.list_differences(artifacts.read_json(record), here)
    else:
        notes.append(f"The artifacts' machine is not known: no {records.PROVENANCE}.")
    sections = build_sections(compared, differences, notes, conclusions)
    subtitle = f"{len(chosen)} of {len(everything)} stages, scale {here['scale']}"
    html = page("Reproducible on this machine?", subtitle, sections)
    artifacts.write_bytes(root / REPORT, html.encode())
    replays.write_last(root, [file.as_json(sums.get(file.path)) for file in compared], here)
    told = [f"{what}: {published} published, {here} here" for what, published, here in differences]
    print("", *format_lines(compared, conclusions), "", *notes, *told, sep="\n")
    return Replayed(compared, conclusions)


def shorten(names: Sequence[str]) -> str:
    """The first five."""
    return f"{', '.join(names[:5])}{', …' * (len(names) > 5)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "stages", nargs="*", help="names as in train, grid:train or grid:train@learned_s020; none: all"
    )
    parser.add_argument(
        "--set", action="append", default=[], help="device=… or compute.…=…, for this replay alone"
    )
    parser.add_argument("--sign", type=Path, metavar="KEY", help="an ssh key that signs the record")
    arguments = parser.parse_args()
    params.load()  # a mistake in the file is said in one line
    with exclusive("replay"):
        compared, conclusions = replay(Path(), arguments.stages, arguments.set)
    verdict = state_verdict(compared, conclusions)
    print(f"{REPORT} has it all")
    if arguments.sign:
        print(f"signed: {replays.sign_last(Path(), arguments.sign)}, to be committed or sent to the authors")
    if any(file.outcome is Outcome.DIFFERENT for file in compared):
        raise ValueError(verdict)
    print(verdict)


if __name__ == "__main__":
    run(main)
