"""Recordings of any format in the neutral form of neutral.py, file after file.

What restricts the use of the recordings restricts that of its results too.
"""

from pathlib import Path

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.files.hashing import hash_file
from stages.parameters import params
from stages.tasks.recordings import consistency, copies, neutral, overlaps
from stages.tasks.recordings.facts import Settings
from stages.tasks.recordings.find_files import Found, find_recordings, find_structural
from stages.tasks.recordings.frames import arrange_frames
from stages.tasks.recordings.names import say_runs
from stages.tasks.recordings.neutral import StoredRun
from stages.tasks.recordings.places import check_places, say_background
from stages.tasks.recordings.rates import find_rate, say_rates
from stages.tasks.recordings.readers import arrays
from stages.tasks.recordings.readers.interface import Reader
from stages.tasks.recordings.regions import check_regions, coordinates_of
from stages.tasks.recordings.sources import name_source, open_reader, refuse_unread
from stages.tasks.recordings.weights import refuse_weights, say_directed, say_weights

SHOWN = 6  # people in the stage's last line: a template may take a part of their names alone


def read_all(settings: Settings, root: Path, target: Path) -> list[StoredRun]:
    """Write the neutral form of every run to the folder `target`; what is in source.json of the runs."""
    refuse_unread(settings)
    folder = root / settings.folder
    found = find_recordings(folder, settings)
    if len(people := {each.subject for each in found}) < 2:
        raise InputError(
            f"recordings.files: {sorted(people)} found, expected at least two people, to train on one and to "
            "validate with another; cut a single recording in two files of two people"
        )
    say_runs(sorted(people))
    structural = find_structural(folder, settings.structural, found) if settings.structural else {}
    reader = open_reader(settings, root, found[0].path)
    where, labels = name_source(settings, folder, found[0].path), reader.regions.label.tolist()
    check_regions(reader.regions, where)
    check_places(reader.regions, where)
    say_background(labels, where)
    runs: list[StoredRun] = []
    sketches: list[copies.Sketch] = []
    digests: list[overlaps.Digests] = []
    rates = []
    for each in found:
        runs.append(read_run(reader, settings, folder, each, len(runs), target))
        consistency.refuse_contradiction(runs)
        frames = neutral.map_frames(target, runs[-1])
        sketches.append(copies.sketch(frames))
        consistency.refuse_repetition(runs, sketches, target)
        digests.append(overlaps.digest_steps(frames))
        rates.append(find_rate(frames))
    overlaps.refuse_overlaps(runs, digests, target)
    copies.refuse_copies(runs, sketches, target)
    overlaps.refuse_common_signal(runs, labels, target)
    say_rates(runs, rates)
    read_structural = reader.read_structural or (lambda path: arrays.read_square(path, labels))
    totals = {}
    for subject, path in structural.items():
        weights = read_structural(path)
        say_directed(weights)
        say_weights(weights, coordinates_of(reader.regions))
        totals[path] = float(weights.sum() - weights.trace())
        neutral.write_structural(target, subject, weights)
    refuse_weights(totals)
    neutral.write_description(target, reader.regions, neutral.shaping(settings), runs)
    return runs


def read_run(
    reader: Reader, settings: Settings, folder: Path, found: Found, number: int, target: Path
) -> StoredRun:
    """Read one file, check it and store its frames."""
    content = reader.read_run(found.path)
    frames = arrange_frames(content, reader.regions.label.tolist(), settings.drop_first, found.path)
    seconds = consistency.agree_on_seconds(content.frame_seconds, settings.frame_seconds, found.path)
    run = StoredRun(
        subject=found.subject,
        group=found.group,
        stored=f"runs/{found.subject}/{number:04}.npy",
        file=found.path.relative_to(folder).as_posix(),
        bytes=found.path.stat().st_size,
        sha256=hash_file(found.path),
        frames=len(frames),
        frame_seconds=seconds,
    )
    neutral.write_run(target, run, frames)
    return run


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE).section("recordings", Settings)
    with artifacts.write_atomically(root / neutral.FOLDER) as beside:
        beside.mkdir()
        runs = read_all(settings, root, beside)
    people = sorted({run.subject for run in runs})
    few = ", ".join(people[:SHOWN]) + ", …" * (len(people) > SHOWN)
    print(
        f"{neutral.FOLDER}: {len(people)} people ({few}), {len(runs)} runs, "
        f"{sum(run.frames for run in runs)} frames"
    )
