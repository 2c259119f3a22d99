"""The recordings of some of the training people, and masks that hide another share of regions.

Arrays in, arrays out: those of data/tasks/recordings, described in stages/tasks/recordings/prepare.py.
"""

from collections.abc import Sequence

import numpy as np

from stages.files.artifacts import Arrays
from stages.people.settings import FILE, TASK
from stages.randomness.masks import draw_masks
from stages.randomness.streams import generator
from stages.tasks.recordings.signals import average_functional


def divide(people: Sequence[str], donors: int) -> tuple[list[str], list[str]]:
    """Donors, the first of the people, and hosts, the others; ValueError where nobody would be left."""
    if donors >= len(people):
        raise ValueError(
            f"people.donors: {donors} given of {len(people)} training people, expected fewer; lower it in "
            f"{FILE}"
        )
    return list(people[:donors]), list(people[donors:])


def restrict(data: Arrays, people: Sequence[str]) -> Arrays:
    """Training and test frames with their masks, and `functional` [n, n], of these training people alone.

    Validation people stay. So does `structural`, the mean over all training people: it cannot be taken apart.
    Raises ValueError for anybody else.
    """
    known = data["train_subjects"].tolist()
    if unknown := [person for person in people if person not in known]:
        raise ValueError(f"'{unknown[0]}' is no training person; expected some of {', '.join(known)}")
    everyone = sorted([*known, *data["validation_subjects"].tolist()])  # `<split>_subject` counts in them
    numbers = [everyone.index(person) for person in people]
    kept: Arrays = {"train_subjects": np.array(people)}
    for split in ("train", "test"):
        rows = np.isin(data[f"{split}_subject"], numbers)
        for kind in ("frames", "masks", "subject"):
            kept[f"{split}_{kind}"] = data[f"{split}_{kind}"][rows]
    runs = [kept["train_frames"][kept["train_subject"] == number] for number in numbers]
    functional = average_functional(frames.astype(np.float64) for frames in runs)
    return data | kept | {"functional": functional}


def hide(data: Arrays, fraction: float, seed: int) -> Arrays:
    """The arrays with that share of regions hidden in every split's evaluation masks."""
    masks: Arrays = {}
    for split in ("train", "test", "validation"):
        stream = generator(seed, TASK, "people", split, f"{fraction:g}")
        n_frames, n_regions = data[f"{split}_frames"].shape
        masks[f"{split}_masks"] = draw_masks(n_frames, n_regions, fraction, stream)
    return data | masks
