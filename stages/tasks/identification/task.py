"""Position Identification: of random words, each one's place (Luo et al. 2022, arXiv 2205.13401)."""

from pathlib import Path

import torch
from torch import Tensor

from stages.parameters.params import Params
from stages.randomness.streams import generator
from stages.tasks.words import RandomWords

DATA: Path | None = None  # drawn here


def load(params: Params, device: torch.device) -> RandomWords:
    """Random words at the chosen scale's sizes."""
    sizes = params.sizes.identification.data
    test = generator(params.seed, "identification", "test")
    return RandomWords(sizes, sizes.tokens, places, test, device)


def places(words: Tensor) -> Tensor:
    """0..n - 1 whatever the words [..., n]."""
    return torch.arange(words.shape[-1], device=words.device).expand(words.shape)
