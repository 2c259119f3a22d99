"""Rotary encoding for more tokens than it was trained on: slower rotations, by one of three methods.

As `rope`, whose pairs of columns turn at theta_t = 10000^(-2t / d_h), but for s times the tokens at
interpolation: theta_t / s, as if the tokens stood closer;
ntk: theta_t s^(-2t / (d_h - 2)), a larger base: the fastest pair keeps its rate, the slowest has theta_t / s;
yarn: g theta_t + (1 - g) theta_t / s. g grows from 0 to 1 as the turns that a pair makes within the trained
tokens grow from 1 to 32. Rotated queries and keys are multiplied by 0.1 ln(s) + 1, which sharpens attention.
Without `factor` s is tokens / trained_tokens, at least 1: of fewer tokens nothing is changed.
ASSUME g linear in the turns, as in the paper; released codes have it linear in t. ASSUME the last of an odd
number of columns, which does not turn, is multiplied too.
Source: Chen et al. 2023, arXiv 2306.15595; ntk: bloc97 2023, in Peng et al. 2023 (YaRN), arXiv 2309.00071.
"""

from math import log, tau
from typing import Annotated, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field
from torch import Tensor

from ..positions.rotations import BASE, require_columns, rotate_pairs
from ..settings.kinds import Count
from .interface import Host, PositionalEncoding

FEW_TURNS, MANY_TURNS = 1, 32  # within the trained tokens: the paper's alpha and beta


class Encoding(PositionalEncoding):
    """Fixed angles [1, n, pairs], shared by replicas, blocks and heads. Without `factor` n is read too."""

    angles: Tensor

    def __init__(
        self,
        host: Host,
        method: Literal["interpolation", "ntk", "yarn"] = "yarn",
        trained_tokens: Count = 2048,  # LLaMA's, as in the first paper
        factor: Annotated[float, Field(ge=1)] | None = None,  # s
    ) -> None:
        super().__init__()
        self.by_index = factor is not None
        require_columns("rope_scaled", host.head_width)
        s = max(host.span / trained_tokens, 1.0) if factor is None else factor
        turned = np.outer(host.indices, slow_down(method, host.head_width, trained_tokens, s))
        self.register_buffer("angles", torch.from_numpy(turned)[None])
        self.sharpness = 0.1 * log(s) + 1 if method == "yarn" else 1.0

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        turned = rotate_pairs(q, self.angles[0, rows]), rotate_pairs(k, self.angles[0])
        return turned[0] * self.sharpness, turned[1] * self.sharpness


def slow_down(method: str, width: int, trained_tokens: int, s: float) -> NDArray[np.float64]:
    """Return the rates [width // 2] at which pairs turn, in radians for each token."""
    pairs = np.arange(width // 2)
    theta = BASE ** (-2 * pairs / width)
    if method == "interpolation":
        return np.asarray(theta / s)
    if method == "ntk":
        return np.asarray(theta * s ** (-2 * pairs / max(width - 2, 1)))  # of a single pair unchanged
    turns = trained_tokens * theta / tau
    kept = np.clip((turns - FEW_TURNS) / (MANY_TURNS - FEW_TURNS), 0, 1)
    return np.asarray(kept * theta + (1 - kept) * theta / s)
