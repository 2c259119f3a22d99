"""Base class of schemes whose bias on a pair of tokens is a small network's answer to the pair's features."""

from abc import ABC, abstractmethod
from math import sqrt

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ...randomness.initial import uniform
from ..interface import Host, PositionalEncoding


class PairNetwork(PositionalEncoding, ABC):
    """b_ij + MLP_h(f_ij): linear map, ReLU, linear map without bias to one number per head.

    Trained weights, of each block its own, start as in torch.nn.Linear: `widen` [R, blocks, k + 1, hidden]
    with the bias as last row, `narrow` [R, blocks, hidden, H].
    """

    def __init__(self, n_features: int, hidden: int, host: Host) -> None:
        super().__init__()
        size = (host.blocks, n_features + 1, hidden)
        self.widen = nn.Parameter(uniform(1 / sqrt(n_features), size, host.generators))
        size = (host.blocks, hidden, host.heads)
        self.narrow = nn.Parameter(uniform(1 / sqrt(hidden), size, host.generators))

    @abstractmethod
    def features(self, block: int, rows: slice) -> Tensor:
        """Return the features [R or 1, m, n, k] of the queries `rows` and all keys."""

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        # in float32 or finer: coarser products would round neighbouring pairs to the same bias
        with torch.autocast(logits.device.type, enabled=False):
            pairs = self.features(block, rows)
            weight = self.widen[:, block]
            hidden = torch.relu(pairs.flatten(1, 2) @ weight[:, :-1] + weight[:, -1:])
            bias = hidden @ self.narrow[:, block]
            added: Tensor = bias.view(len(bias), *pairs.shape[1:3], -1).permute(0, 3, 1, 2)[:, None]
        return logits + added


class FixedPairs(PairNetwork):
    """Features [n, n, k] that are known beforehand, shared by replicas and blocks."""

    pairs: Tensor

    def __init__(self, pairs: NDArray[np.float64], hidden: int, host: Host) -> None:
        super().__init__(pairs.shape[-1], hidden, host)
        self.register_buffer("pairs", torch.from_numpy(pairs)[None])

    def features(self, block: int, rows: slice) -> Tensor:
        return self.pairs[:, rows].to(self.widen.dtype)
