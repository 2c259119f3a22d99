"""Show the progress of one training cell: a bar on a terminal, ten lines or more in a pipe."""

import sys
from collections.abc import Sequence
from threading import RLock
from time import monotonic

from tqdm import tqdm

from stages.training.fit import EpochScore

tqdm.set_lock(RLock())  # its own is also between processes, and a leak where a stage is killed
SAY_S = 20  # in a pipe, at most, between two lines: the run takes the time left from them


class Progress:
    """Call `go` with the epochs done, also parts of them, first at the start, and it after each epoch."""

    def __init__(self, name: str, epochs: int, presentations: int) -> None:
        """`presentations`: training examples per epoch over all replicas."""
        self.name, self.epochs, self.presentations = name, epochs, presentations
        self.bar = tqdm(total=epochs, desc=name, unit="epoch", disable=not sys.stderr.isatty())
        self.start = self.said_at = monotonic()
        self.first: float | None = None  # epochs done before, where training goes on
        self.done = 0.0

    def go(self, done: float) -> None:
        if self.first is None:
            self.first = done
            self.bar.n = self.bar.initial = int(done)
        self.done = done
        if monotonic() - self.said_at > SAY_S:
            self.say()

    def __call__(self, epoch: int, scores: Sequence[EpochScore]) -> None:
        self.done = epoch
        summary = ", ".join(f"{score.split} {score.metric} {score.mean():.3f}" for score in scores)
        self.bar.update()
        self.bar.set_postfix_str(summary)
        if epoch * 10 // self.epochs > (epoch - 1) * 10 // self.epochs:
            self.say(summary)

    def say(self, *summary: str) -> None:
        self.said_at = monotonic()
        if self.bar.disable:
            told = [f"{self.name}: epoch {self.done:.4g}/{self.epochs}", *summary]
            pace = (self.done - (self.first or 0)) / (self.said_at - self.start)  # epochs a second
            if pace:  # none where training goes on from the end of an epoch, and only its scores were due
                left_s = (self.epochs - self.done) / pace
                told += [f"{pace * self.presentations:.0f} samples/s", f"{left_s:.0f} s left"]
            print(", ".join(told), flush=True)

    def close(self) -> None:
        self.bar.close()
