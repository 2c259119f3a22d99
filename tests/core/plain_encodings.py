"""Encodings in plain PyTorch whose every parameter is drawn, and queries, keys and values for them."""

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from hosts import Settings
from torch import Tensor, nn

from stages.core.plain import Encoding
from stages.core.positions.positions import Positions, line_positions

N, HEADS, WIDTH = 12, 4, 64


def on_a_line(n: int) -> Positions:
    """Place tokens in a row, with all that a scheme may need."""
    frames = np.random.default_rng(n).normal(size=(3 * n, n))
    return replace(line_positions(n), functional=np.atleast_2d(np.corrcoef(frames, rowvar=False)))


def make(scheme: str, settings: Settings | None = None, **other: Any) -> Encoding:
    """Make an encoding of parameters that are all drawn."""
    torch.manual_seed(1)
    usual = {"width": WIDTH, "heads": HEADS, "tokens": 20, "seed": 0}
    made = Encoding(scheme, **usual | other | (settings or {})).double()
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=0.3)
    return made


def draw(n: int = N, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    torch.manual_seed(seed)
    q, k, v = torch.randn(3, 2, HEADS, n, WIDTH // HEADS, dtype=torch.float64)
    return q, k, v
