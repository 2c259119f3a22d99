"""Offsets between the tokens of a sequence, which relative positional encodings are functions of.

n tokens follow each other, so that there are 2n - 1 offsets j - i, 1 - n..n - 1; `rows`, m of the tokens, are
the queries. What depends on the offset alone is computed once for each and then laid out, by views instead of
look-ups, as in the skewing of Huang et al. (2018, arXiv 1809.04281): fast, and in a fixed order of sums.
"""

import torch
from torch import Tensor
from torch.nn.functional import pad


def offsets(indices: Tensor, rows: slice) -> Tensor:
    """j - i of queries i, the tokens `rows`, and all keys j: [m, n], of their places in the sequence, [n]."""
    return indices - indices[rows, None]


def clipped(distance: Tensor, limit: int) -> Tensor:
    """Row of a table of 2 limit + 1 entries for each offset; beyond +-limit that of the limit itself."""
    return distance.clamp(-limit, limit) + limit


def without_future(logits: Tensor, rows: slice) -> Tensor:
    """The logits [..., m, n] of a causal model: -inf where the key comes after the query."""
    n = logits.shape[-1]
    future = torch.ones(n, n, dtype=torch.bool, device=logits.device).triu(1)[rows]
    return logits.masked_fill(future, -torch.inf)


def met(n: int, rows: slice) -> slice:
    """Where, among the 2n - 1 offsets, those stand that the queries `rows` meet: n + m - 1 of them."""
    tokens = range(n)[rows]
    return slice(n - tokens.stop, 2 * n - 1 - tokens.start)


def at_pairs(scores: Tensor) -> Tensor:
    """Scores of m queries at the offsets they meet, [..., m, n + m - 1], as one per key, [..., m, n]."""
    m, n_met = scores.shape[-2:]
    # one column more makes each row begin one step earlier in the next view
    flat = pad(scores, (0, 1)).flatten(-2)[..., m - 1 : m - 1 + m * n_met]
    return flat.view(*scores.shape[:-2], m, n_met)[..., : n_met - m + 1]


def at_offsets(weights: Tensor) -> Tensor:
    """Weights of m queries for n keys, [..., m, n], by offset, [..., m, n + m - 1]; 0 where there is none."""
    m, n = weights.shape[-2:]
    flat = pad(weights, (0, m - 1)).flatten(-2)
    return pad(flat, (m - 1, 1)).view(*weights.shape[:-2], m, n + m)[..., :-1]
