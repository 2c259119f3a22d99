"""Sequences of random words and a label per token, shared by identification and even_tokens.

The two tasks with which Luo et al. (2022, arXiv 2205.13401) show what relative encodings cannot do.
"""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor, split

from stages.randomness.streams import Generators, Replicates
from stages.tasks.bases.labels import TokenLabels, token_hits, token_losses
from stages.tasks.bases.line_facts import WordData, line_positions
from stages.tasks.interface import Batch, Codes, Features


class RandomWords(TokenLabels):
    """Words [R, B, n] from 1..vocabulary, uniform and independent; training draws every epoch's anew.

    labels: words [..., n] -> labels 0..n_labels - 1, [..., n]. test: the stream of the test split, which is
    the same for all replicates.
    """

    stored_as = "scores"
    splits = ("test",)

    def __init__(
        self,
        sizes: WordData,
        n_labels: int,
        labels: Callable[[Tensor], Tensor],
        test: np.random.Generator,
        device: torch.device,
    ) -> None:
        self.positions = line_positions(sizes.tokens)
        self.inputs: Codes | Features = Codes(sizes.vocabulary + 1)  # 0 is blank
        self.n_outputs = n_labels
        self.n_train = sizes.train_sequences
        self.train_rows = np.arange(0)  # none is stored
        self.sizes, self.labels, self.device = sizes, labels, device
        self.test = self.draw(sizes.test_sequences, [test])

    def draw(self, sequences: int, streams: Generators) -> Tensor:
        """Words [R, sequences, n], those of each replica from its own stream."""
        shape = (sequences, self.sizes.tokens)
        words = [stream.integers(1, self.sizes.vocabulary, shape, endpoint=True) for stream in streams]
        return torch.from_numpy(np.stack(words)).to(self.device)

    def epoch(self, replicates: Replicates, number: int, batch_size: int, start: int = 0) -> Iterator[Batch]:
        n = self.sizes.train_sequences
        for first in range(start * batch_size, n, batch_size):
            streams = replicates.generators("epoch", number, "words", first)
            words = self.draw(min(batch_size, n - first), streams)
            yield Batch(words, self.labels(words))

    def evaluation(self, name: str, batch_size: int) -> Iterator[Batch]:
        for words in split(self.test, batch_size, dim=1):
            yield Batch(words, self.labels(words))

    def predictions(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Each token's loss and whether it is right, [R, B, n, 2]; all its logits would be far more."""
        return torch.stack([token_losses(outputs, batch.targets), token_hits(outputs, batch.targets)], dim=-1)
