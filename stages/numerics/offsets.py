"""Offsets between the tokens of a sequence, which relative positional encodings are functions of."""

import torch
from torch import Tensor


def offsets(indices: Tensor, rows: slice) -> Tensor:
    """j - i of queries i, the tokens `rows`, and all keys j: [m, n] from their places in the sequence, [n]."""
    return indices - indices[rows, None]


def clipped(distance: Tensor, limit: int) -> Tensor:
    """Row of a table of 2 limit + 1 entries for each offset; beyond +-limit that of the limit itself."""
    return distance.clamp(-limit, limit) + limit


def without_future(logits: Tensor, rows: slice) -> Tensor:
    """The logits [..., m, n] of a causal model: -inf where the key comes after the query."""
    n = logits.shape[-1]
    future = torch.ones(n, n, dtype=torch.bool, device=logits.device).triu(1)[rows]
    return logits.masked_fill(future, -torch.inf)
