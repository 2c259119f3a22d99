"""Even Token Prediction: random words to every second one of them (Luo et al. 2022, arXiv 2205.13401)."""

from pathlib import Path

import torch
from torch import Tensor

from stages.parameters.params import Params
from stages.randomness.streams import generator
from stages.tasks.words import RandomWords

DATA: Path | None = None  # drawn here
END = 0  # label of the end of the sequence; words have their own codes


def load(params: Params, device: torch.device) -> RandomWords:
    """Random words at the chosen scale's sizes."""
    sizes = params.sizes.even_tokens.data
    test = generator(params.seed, "even_tokens", "test")
    return RandomWords(sizes, sizes.vocabulary + 1, every_second, test, device)


def every_second(words: Tensor) -> Tensor:
    """w_1..w_n -> w_2, w_4, ..., then the end at all other places; words [..., n]."""
    labels = torch.full_like(words, END)
    labels[..., : words.shape[-1] // 2] = words[..., 1::2]
    return labels
