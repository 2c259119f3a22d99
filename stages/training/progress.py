"""Show the progress of one training cell: a bar on a terminal, about ten lines in a pipe."""

import sys
from collections.abc import Sequence
from time import monotonic

from tqdm import tqdm

from stages.training.fit import EpochScore


class Progress:
    """Call it after each epoch with the epoch's scores."""

    def __init__(self, name: str, epochs: int, presentations: int) -> None:
        """`presentations`: training examples per epoch over all replicas."""
        self.name, self.epochs, self.presentations = name, epochs, presentations
        self.bar = tqdm(total=epochs, desc=name, unit="epoch", disable=not sys.stderr.isatty())
        self.start, self.epochs_run = monotonic(), 0

    def __call__(self, epoch: int, scores: Sequence[EpochScore]) -> None:
        summary = ", ".join(f"{score.split} {score.metric} {score.mean():.3f}" for score in scores)
        if not self.epochs_run:  # resumed: exclude earlier epochs from the rate
            self.bar.n = self.bar.initial = epoch - 1
        self.epochs_run += 1
        self.bar.update()
        self.bar.set_postfix_str(summary)
        tenth = epoch * 10 // self.epochs > (epoch - 1) * 10 // self.epochs
        if self.bar.disable and tenth:
            elapsed_s = monotonic() - self.start
            rate = self.epochs_run * self.presentations / elapsed_s
            left_s = elapsed_s / self.epochs_run * (self.epochs - epoch)
            done = f"{self.name}: epoch {epoch}/{self.epochs}"
            print(f"{done}, {summary}, {rate:.0f} samples/s, {left_s:.0f} s left", flush=True)

    def close(self) -> None:
        self.bar.close()
