"""Note how far the training of a cell is, in a file that the run reads."""

import json
from pathlib import Path
from time import monotonic

from stages.files.artifacts import write_json

NOTE_S = 2  # between two notes


class Progress:
    """Write the share of epochs that is done and the seconds left, by the speed of this run."""

    def __init__(self, path: Path, epochs: int) -> None:
        self.path, self.epochs = path, epochs
        self.start = self.noted_at = monotonic()
        self.first: float | None = None  # epochs done before, where training goes on

    def note_step(self, done: float) -> None:
        """Note the epochs done, also parts of them; the first call comes before training."""
        if self.first is None:
            self.first = done
        now = monotonic()
        if now - self.noted_at > NOTE_S and done > self.first:
            self.noted_at = now
            left_s = (self.epochs - done) * (now - self.start) / (done - self.first)
            write_json(self.path, {"share": done / self.epochs, "left_s": left_s})


def read_progress(path: Path) -> tuple[float, float] | None:
    """Read the share that is done and the seconds left; None before the first note, or if it was damaged."""
    try:
        noted = json.loads(path.read_bytes())
        return float(noted["share"]), float(noted["left_s"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
