"""The position probe: n identical tokens, each of which is to name its own place.

All that tells the tokens apart is the positional encoding (Su Jianlin, "A theoretical flaw of
relative-position transformers and its remedies", 2022).
"""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.randomness.streams import Replicates
from stages.tasks.bases.labels import TokenLabels
from stages.tasks.bases.shared_facts import line_positions
from stages.tasks.interface import Batch, Codes, Features
from stages.tasks.probe.facts import Data

TOKEN = 1  # any code but 0, whose one-hot vector is zero


class Probe(TokenLabels):
    """The one example there is, in every batch of every epoch: it is trained on and evaluated."""

    stored_as = "logits"
    splits = ("train",)
    inputs: Codes | Features = Codes(TOKEN + 1)
    train_rows = np.arange(1)
    n_train = 1

    def __init__(self, n_tokens: int, device: torch.device) -> None:
        self.positions = line_positions(n_tokens)
        self.n_outputs = n_tokens
        places = torch.arange(n_tokens, device=device).expand(1, 1, -1)
        self.example = Batch(torch.full_like(places, TOKEN), places)

    def epoch(self, replicates: Replicates, number: int, batch_size: int, start: int = 0) -> Iterator[Batch]:
        replicas = (len(replicates), -1, -1)
        if start == 0:
            yield Batch(self.example.inputs.expand(replicas), self.example.targets.expand(replicas))

    def evaluation(self, name: str, batch_size: int) -> Iterator[Batch]:
        yield self.example

    def predictions(self, outputs: Tensor, batch: Batch) -> Tensor:
        return outputs


def load(settings: Params, data: Arrays, device: torch.device) -> Probe:
    """The probe at the chosen scale's length; there is no data to read."""
    return Probe(settings.data("probe", Data).tokens, device)
