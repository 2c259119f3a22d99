"""How stored predictions of a task are scored, whichever stage made them."""

from pathlib import Path

from stages.files.artifacts import Arrays
from stages.measures import splits
from stages.tasks.recordings.signals import dropout_regions

DATA = {  # the other tasks make up their own
    "grid": (Path("data/grid/puzzles.npz"), "generate_grid"),
    "network": (Path("data/network/frames.npz"), "simulate_network"),
    "recordings": (Path("data/recordings"), "prepare_recordings"),
}


def of_splits(task: str, stored: Arrays, data: Arrays) -> splits.Results:
    """Split and scores of one configuration's stored predictions."""
    match task:
        case "grid":
            return splits.of_puzzles(stored, data)
        case "probe":
            return splits.of_probe(stored)
        case "identification" | "even_tokens":
            return splits.of_words(stored)
        case _:
            return splits.of_frames(stored, data, groups(task, data))


def groups(task: str, data: Arrays) -> splits.Groups:
    """Of recordings, the regions of signal dropout and the others; none where no region is known for it."""
    if task != "recordings":
        return {}
    dropout = dropout_regions(data["labels"].tolist())
    return {"dropout": dropout, "signal": ~dropout} if dropout.any() else {}
