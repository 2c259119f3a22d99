"""Progress of one training cell: a bar on a terminal, about ten lines where output is piped."""

import sys
from collections.abc import Sequence
from time import monotonic

from tqdm import tqdm

from stages.training.fit import Moment


class Progress:
    """Called after each epoch with what was measured."""

    def __init__(self, name: str, epochs: int, presentations: int) -> None:
        """`presentations`: training examples per epoch over all replicas."""
        self.name, self.epochs, self.presentations = name, epochs, presentations
        self.bar = tqdm(total=epochs, desc=name, unit="epoch", disable=not sys.stderr.isatty())
        self.start, self.seen = monotonic(), 0

    def __call__(self, epoch: int, moments: Sequence[Moment]) -> None:
        verdict = ", ".join(f"{moment.split} {moment.metric} {moment.mean():.3f}" for moment in moments)
        if not self.seen:  # a run gone on with: what was done before was not done in this time
            self.bar.n = self.bar.initial = epoch - 1
        self.seen += 1
        self.bar.update()
        self.bar.set_postfix_str(verdict)
        tenth = epoch * 10 // self.epochs > (epoch - 1) * 10 // self.epochs
        if self.bar.disable and tenth:
            elapsed_s = monotonic() - self.start
            rate = self.seen * self.presentations / elapsed_s
            left_s = elapsed_s / self.seen * (self.epochs - epoch)
            done = f"{self.name}: epoch {epoch}/{self.epochs}"
            print(f"{done}, {verdict}, {rate:.0f} samples/s, {left_s:.0f} s left", flush=True)
        if epoch == self.epochs:
            self.bar.close()
