"""Say how a run of a study's cells goes: what is kept, made and left."""

from collections.abc import Mapping
from time import monotonic

from joblib import cpu_count

from stages.cells.time_left import TimeLeft

SAY_S = 20  # between two lines on cells that run
DONE_S = 2  # between two lines on cells that are done


class Telling:
    """Print progress, each line complete in itself. kinds: the task of each cell to make."""

    def __init__(self, study: str, kept: int, kinds: Mapping[str, str]) -> None:
        self.study, self.kept, self.waiting = study, kept, dict(kinds)
        self.made = 0
        self.time_left = TimeLeft(kinds, min(cpu_count(), max(len(kinds), 1)))
        self.said_at = self.done_at = monotonic()
        print(f"{study}: {kept} cells kept, {len(kinds)} to train", flush=True)

    def tell_done(self, cell: str, skipped: str | None) -> None:
        self.made += 1
        self.waiting.pop(cell, None)
        self.time_left.note_done(cell)
        done = f"{cell} skipped, {skipped}" if skipped else f"{cell} trained"
        if skipped or not self.waiting or monotonic() - self.done_at > DONE_S:
            self.done_at = monotonic()
            print(f"{self.study}: {self.made} of {self.made + len(self.waiting)}, {done}", flush=True)

    def tell_running(self, progress: Mapping[str, tuple[float, float]]) -> None:
        """Print how far running cells are, now and then.

        progress: the share done and the seconds left of each that says so; others wait.
        """
        self.time_left.note_running(progress.keys())
        if monotonic() - self.said_at < SAY_S:
            return
        self.said_at = monotonic()
        left_s = {cell: seconds for cell, (_, seconds) in progress.items()}
        ahead = [cell for cell in self.waiting if cell not in progress]
        seconds = self.time_left.estimate_s(ahead, left_s)
        left = "time left unknown yet" if seconds is None else f"{describe_s(seconds)} left"
        shares = ", ".join(f"{cell} {share:.0%}" for cell, (share, _) in progress.items())
        how_far = "; ".join(filter(None, [left, shares]))
        print(f"{self.study}: {self.made} of {self.made + len(self.waiting)}, {how_far}", flush=True)


def describe_s(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
