"""Position Identification: of random words, each one's place (Luo et al. 2022, arXiv 2205.13401)."""

import torch

from stages.core.randomness.streams import generator
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.bases.labels import RandomWords, places
from stages.tasks.bases.shared_facts import WordData


def load(settings: Params, data: Arrays, device: torch.device) -> RandomWords:
    """Load random words at the chosen scale's sizes."""
    sizes = settings.data("identification", WordData)
    test = generator(settings.seed, "identification", "test")
    return RandomWords(sizes, sizes.tokens, places, test, device)
