"""Position Identification: of random words, each one's place (Luo et al. 2022, arXiv 2205.13401)."""

import torch
from torch import Tensor

from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.randomness.streams import generator
from stages.tasks.bases.labels import RandomWords
from stages.tasks.bases.shared_facts import WordData


def load(settings: Params, data: Arrays, device: torch.device) -> RandomWords:
    """Random words at the chosen scale's sizes."""
    sizes = settings.data("identification", WordData)
    test = generator(settings.seed, "identification", "test")
    return RandomWords(sizes, sizes.tokens, places, test, device)


def places(words: Tensor) -> Tensor:
    """0..n - 1 whatever the words [..., n]."""
    return torch.arange(words.shape[-1], device=words.device).expand(words.shape)
