"""Even Token Prediction: random words to every second one of them (Luo et al. 2022, arXiv 2205.13401)."""

import torch
from torch import Tensor

from stages.core.randomness.streams import generator
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.bases.labels import RandomWords
from stages.tasks.bases.shared_facts import WordData

END = 0  # label of the end of the sequence; words have their own codes


def load(settings: Params, data: Arrays, device: torch.device) -> RandomWords:
    """Load random words at the chosen scale's sizes."""
    sizes = settings.data("even_tokens", WordData)
    test = generator(settings.seed, "even_tokens", "test")
    return RandomWords(sizes, sizes.vocabulary + 1, every_second, test, device)


def every_second(words: Tensor) -> Tensor:
    """Map w_1..w_n -> w_2, w_4, ..., then the end at all other places; words [..., n]."""
    labels = torch.full_like(words, END)
    labels[..., : words.shape[-1] // 2] = words[..., 1::2]
    return labels
