"""Reproducible on this machine? Run stages again in a copy and compare what comes out with the artifacts.

Writes reports/replay.html; exit status 1 if something differs beyond the tolerances of
stages/reviewing/comparison.py.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from stages.files import artifacts
from stages.files.hashing import hash_files
from stages.parameters import params
from stages.pipeline.cluster import list_workers
from stages.reporting.page import page
from stages.reporting.parts import Column, Section, Table
from stages.reviewing import pipeline, provenance, records, replays, rerun
from stages.reviewing.comparison import AMPLIFIED, ROUNDING, Compared, Outcome, compare
from stages.running.command import exclusive, run

SCRATCH = "data/.replay.part"
REPORT = "reports/replay.html"
MARKS = "\u2713\u2248\u2248?\u2717"  # by outcome
STATED = (
    "Identical: the same bytes. Within rounding: no number deviates by more than "
    f"{ROUNDING:g} of the largest of its array, column or quantity. Within tolerance: "
    f"rounding amplified by training; final scores of a cell are equal within {AMPLIFIED:g}, and "
    "numbers computed from cells that deviate are too, absolutely or relatively. Pictures and pages are "
    "judged by the data they are drawn from. Not measured: nothing here to compare with. Anything else is "
    "different; if it has grown from rounding, losses of the first epoch are equal but for that."
)


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
    published = records.read_sums(root / records.SUMS) if (root / records.SUMS).is_file() else {}
    files_of: dict[str, list[Compared]] = {}
    outcomes: dict[str, Outcome] = {}
    at_once = len(list_workers(params.from_values(here["params"])))
    for stage in rerun.run_stages(chosen, root / SCRATCH, at_once):
        files = compare(stage, root, root / SCRATCH, outcomes, published)
        outcomes |= {file.path: file.outcome for file in files}
        files_of[stage.name] = files
    compared = [file for stage in chosen for file in files_of[stage.name]]
    differences = []
    sums = published | hash_files(root, [file.path for file in compared])
    if (record := root / records.PROVENANCE).is_file():
        differences = provenance.list_differences(artifacts.read_json(record), here)
    else:
        notes.append(f"The artifacts' machine is not known: no {records.PROVENANCE}.")
    sections = build_sections(compared, differences, notes)
    subtitle = f"{len(chosen)} of {len(everything)} stages, scale {here['scale']}"
    html = page("Reproducible on this machine?", subtitle, sections)
    artifacts.write_bytes(root / REPORT, html.encode())
    replays.write_last(root, [file.as_json(sums.get(file.path)) for file in compared], here)
    told = [f"{what}: {published} published, {here} here" for what, published, here in differences]
    print("", *format_lines(compared), "", *notes, *told, sep="\n")
    return compared


def state_verdict(compared: Sequence[Compared]) -> str:
    """One line: reproduced, or what is not and by how much; and how many files came out how."""
    outcomes = Counter(file.outcome for file in compared)
    counts = ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in sorted(outcomes))
    different = [file for file in compared if file.outcome is Outcome.DIFFERENT]
    if outcomes.keys() <= {Outcome.NOT_MEASURED}:
        return f"nothing to compare with: {counts}"
    if not different:
        return f"reproduced: {counts}"
    more = f", and {len(different) - 1} more" if len(different) > 1 else ""
    return f"not reproduced: {different[0].path} ({different[0].why}){more}; {counts}"


def format_lines(compared: Sequence[Compared]) -> list[str]:
    """The table for a terminal: a line per file."""
    width = max((len(file.path) for file in compared), default=0)
    lines = (f"{MARKS[f.outcome]} {f.path:{width}}  {f.outcome!s:16}  {f.why}" for f in compared)
    return [line.rstrip() for line in lines]


def build_sections(
    compared: Sequence[Compared], differences: Sequence[tuple[str, str, str]], notes: Sequence[str]
) -> list[Section]:
    """differences: of the two machines' records, as provenance.list_differences has them."""
    verdict = state_verdict(compared)
    worst_first = sorted(compared, key=lambda file: -file.outcome)
    files = _tabulate(
        "replayed",
        "Every file that was made again, the worst first; of a deviation, its place, its absolute size in "
        "the quantity's own unit and its relative size.",
        [(f"{MARKS[file.outcome]} {file.outcome}", file.path, file.why, file.stage) for file in worst_first],
        ["outcome", "file", "largest deviation", "stage"],
    )
    parts = [(part, file.path) for file in compared for part in file.deviations]
    parts.sort(key=lambda place: -place[0].relative)
    deviations = _tabulate(
        "deviations",
        "Absolute: largest difference, in the quantity's own unit. Relative: that over the largest magnitude "
        "in the artifact; of whole numbers, truth values and text, the share of entries that differ. "
        f"No interval: one replay. {len(parts)} parts deviate.",
        [(part.part, part.relative, part.absolute, path, part.why) for part, path in parts],
        ["array, column or quantity", "relative", "absolute", "file", "not comparable"],
    )
    machines = _tabulate(
        "machines",
        "What is recorded in reports/provenance.json beside the same of this replay; of several words, those "
        "that only one of them has.",
        differences,
        ["what", "of the artifacts", "of this replay"],
    )
    same = [] if differences else ["Nothing that is recorded."]
    answer = [f"{verdict[:1].upper()}{verdict[1:]}.", *notes, STATED]
    between = "What differs between the artifacts' machine and this?"
    return [
        Section("verdict", "Verdict", "Do the results come out again on this machine?", answer),
        Section("outputs", "Outputs", "How did each file come out?", tables=[files]),
        Section("deviations", "Deviations", "By how much does each part deviate?", tables=[deviations]),
        Section("machine", "Machine and versions", between, same, tables=[machines] if differences else []),
    ]


def _tabulate(name: str, caption: str, rows: Sequence[tuple[Any, ...]], titles: list[str]) -> Table:
    """Three digits for numbers, nothing where two parts cannot be compared."""
    frame = pd.DataFrame(rows, columns=titles).replace(np.inf, np.nan)
    numbers = set(frame.select_dtypes(float))
    return Table(name, caption, frame, [Column(t, t, 3 if t in numbers else None) for t in titles])


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
        compared = replay(Path(), arguments.stages, arguments.set)
    verdict = state_verdict(compared)
    print(f"{REPORT} has it all")
    if arguments.sign:
        print(f"signed: {replays.sign_last(Path(), arguments.sign)}, to be committed or sent to the authors")
    if any(file.outcome is Outcome.DIFFERENT for file in compared):
        raise ValueError(verdict)
    print(verdict)


if __name__ == "__main__":
    run(main)
