"""Tasks that ask for a label of each token of random words, and the loss and score of any labels."""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor, split
from torch.nn.functional import cross_entropy

from stages.core.positions.positions import line_positions
from stages.core.randomness.streams import Generators, Replicates
from stages.tasks.bases.shared_facts import WordData
from stages.tasks.interface import Batch, Codes, Features


class RandomWords:
    """Words [R, B, n] from 1..vocabulary, uniform and independent; training draws every epoch's anew.

    Shared by the tasks with which Luo et al. (2022, arXiv 2205.13401) show what relative encodings cannot do.
    labels: words [..., n] -> labels 0..n_labels - 1, [..., n]. test: the stream of the test split, which is
    the same for all replicates.
    """

    read = slice(None)
    metric = "accuracy"
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
        """Draw words [R, sequences, n], those of each replica from its own stream."""
        shape = (sequences, self.sizes.tokens)
        words = [stream.integers(1, self.sizes.vocabulary, shape, endpoint=True) for stream in streams]
        return torch.from_numpy(np.stack(words)).to(self.device)

    def epoch(self, replicates: Replicates, number: int, batch_size: int, start: int = 0) -> Iterator[Batch]:
        n = self.sizes.train_sequences
        for first in range(start * batch_size, n, batch_size):
            streams = replicates.generators("epoch", number, "words", first)
            words = self.draw(min(batch_size, n - first), streams)
            yield Batch(words, self.labels(words))

    def loss(self, outputs: Tensor, batch: Batch) -> Tensor:
        return token_losses(outputs, batch.targets).mean(-1)

    def score(self, outputs: Tensor, batch: Batch) -> Tensor:
        return token_hits(outputs, batch.targets).mean(-1)

    def evaluation(self, name: str, batch_size: int) -> Iterator[Batch]:
        for words in split(self.test, batch_size, dim=1):
            yield Batch(words, self.labels(words))

    def predictions(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return each token's loss and whether it is right, [R, B, n, 2].

        All its logits would be far more.
        """
        return torch.stack([token_losses(outputs, batch.targets), token_hits(outputs, batch.targets)], dim=-1)


def places(words: Tensor) -> Tensor:
    """Return 0..n - 1 whatever the words [..., n]."""
    return torch.arange(words.shape[-1], device=words.device).expand(words.shape)


def token_losses(outputs: Tensor, labels: Tensor) -> Tensor:
    """Return the cross-entropy in nats [...] of outputs [..., labels]."""
    expanded = labels.expand(outputs.shape[:-1])
    return cross_entropy(outputs.flatten(0, -2), expanded.flatten(), reduction="none").view(expanded.shape)


def token_hits(outputs: Tensor, labels: Tensor) -> Tensor:
    """Return 1 where the largest of outputs [..., labels] is the label's, else 0, [...]."""
    return (outputs.argmax(-1) == labels).to(outputs.dtype)
