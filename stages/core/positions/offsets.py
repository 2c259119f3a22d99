"""Offsets j - i between the tokens of a sequence, on which relative positional encodings depend.

n tokens have 2n - 1 offsets, 1 - n..n - 1. The queries are m of the tokens, the slice `rows`. Values that
depend only on the offset are computed once per offset. They are laid out by views instead of look-ups, as in
the skewing of Huang et al. (2018, arXiv 1809.04281). This is fast and keeps the order of summation fixed.
"""

import torch
from torch import Tensor
from torch.nn.functional import pad


def offsets(indices: Tensor, rows: slice) -> Tensor:
    """Return offsets j - i [m, n] of queries i in `rows` and all keys j.

    indices [n]: the tokens' places.
    """
    return indices - indices[rows, None]


def clip_offsets(distance: Tensor, limit: int) -> Tensor:
    """Return the row of each offset in a table of 2 limit + 1 entries.

    Offsets beyond +-limit get the limit's row.
    """
    return distance.clamp(-limit, limit) + limit


def bucket(offset: int, buckets: int, max_distance: int) -> int:
    """Return the bucket of an offset j - i (T5: Raffel et al. 2020, arXiv 1910.10683, section 2.1).

    It is 0 for the token itself, buckets / 2 or more for keys after the query. A distance D >= E = buckets /
    4 gets bucket E + floor(log(D / E) / log(max_distance / E) (buckets / 2 - E)).
    """
    half = buckets // 2
    exact, distance = half // 2, abs(offset)
    steps = half - exact
    # D >= E (max_distance / E)^(step / steps), compared as integers because logarithms round
    larger: int = sum(
        distance**steps * exact**step >= max_distance**step * exact**steps for step in range(1, steps)
    )
    return half * (offset > 0) + min(distance, exact) + larger


def list_buckets(farthest: int, buckets: int, max_distance: int) -> Tensor:
    """List the bucket of each offset -farthest..farthest."""
    every = range(-farthest, farthest + 1)
    return torch.tensor([bucket(offset, buckets, max_distance) for offset in every])


def mask_future(logits: Tensor, rows: slice) -> Tensor:
    """Mask logits [..., m, n] with -inf where the key comes after the query (causal attention)."""
    n = logits.shape[-1]
    future = torch.ones(n, n, dtype=torch.bool, device=logits.device).triu(1)[rows]
    return logits.masked_fill(future, -torch.inf)


def offsets_seen(n: int, rows: slice) -> slice:
    """Return the n + m - 1 of the 2n - 1 offsets that occur between the queries `rows` and all keys."""
    tokens = range(n)[rows]
    return slice(n - tokens.stop, 2 * n - 1 - tokens.start)


def spread_to_pairs(scores: Tensor) -> Tensor:
    """Spread scores per query and offset seen [..., m, n + m - 1] to queries and keys [..., m, n]."""
    m, n_seen = scores.shape[-2:]
    # one more column makes each row start one step earlier in the next view
    flat = pad(scores, (0, 1)).flatten(-2)[..., m - 1 : m - 1 + m * n_seen]
    return flat.view(*scores.shape[:-2], m, n_seen)[..., : n_seen - m + 1]


def gather_by_offset(weights: Tensor) -> Tensor:
    """Gather weights per query and key [..., m, n] by offset seen, [..., m, n + m - 1], 0 elsewhere."""
    m, n = weights.shape[-2:]
    flat = pad(weights, (0, m - 1)).flatten(-2)
    return pad(flat, (m - 1, 1)).view(*weights.shape[:-2], m, n + m)[..., :-1]
