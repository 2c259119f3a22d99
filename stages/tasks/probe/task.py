"""The position probe: n identical tokens, each of which is to name its own place.

All that tells the tokens apart is the positional encoding (Su Jianlin, "A theoretical flaw of
relative-position transformers and its remedies", 2022).
"""

import numpy as np
import torch
from torch import Tensor

from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.bases.labels import RandomWords, places
from stages.tasks.bases.shared_facts import WordData
from stages.tasks.interface import Batch
from stages.tasks.probe.facts import Data


class Probe(RandomWords):
    """One sequence from a vocabulary of one word, so that nothing is random: trained on and evaluated."""

    stored_as = "logits"
    splits = ("train",)

    def __init__(self, n_tokens: int, device: torch.device) -> None:
        sizes = WordData(tokens=n_tokens, vocabulary=1, train_sequences=1, test_sequences=1)
        super().__init__(sizes, n_tokens, places, np.random.default_rng(0), device)
        self.train_rows = np.arange(1)

    def predictions(self, outputs: Tensor, batch: Batch) -> Tensor:
        return outputs


def load(settings: Params, data: Arrays, device: torch.device) -> Probe:
    """Load the probe at the chosen scale's length; there is no data to read."""
    return Probe(settings.data("probe", Data).tokens, device)
