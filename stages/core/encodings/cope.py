"""Contextual positions: a query counts the tokens that its gates let through. Causal.

p_ij = sum_{k=j..i} sigmoid(q_i . k_k), clipped to `max_position`. q_i . e[p_ij] is added to the logit, with e
interpolated between whole positions and 0 at the start. Each block has its own e, shared by its heads.
Source: Golovneva et al. 2024, arXiv 2405.18719.
"""

from math import sqrt

import torch
from torch import Tensor, nn

from ..positions.offsets import mask_future
from ..settings.kinds import Count
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Trained vectors e [R, blocks, max_position + 1, d_h] of positions 0..max_position, by default n."""

    causal = True

    def __init__(self, host: Host, max_position: Count | None = None) -> None:
        super().__init__()
        self.max_position = max_position or len(host.indices)
        size = (len(host.generators), host.blocks, self.max_position + 1, host.head_width)
        self.vectors = nn.Parameter(torch.zeros(size))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        # ASSUME q.k and q.e unscaled, as in the formulas; only the content logit has the factor 1/sqrt(d_h)
        gates = torch.sigmoid(mask_future(logits * sqrt(q.shape[-1]), rows))
        position = count_back(gates).clamp(max=self.max_position)
        scores = torch.einsum("rbhid,rpd->rbhip", q, self.vectors[:, block])
        return logits + interpolate(scores, position)


def count_back(gates: Tensor) -> Tensor:
    """Sum over k >= j of gates g_ik [..., m, n], in float32 or finer: bfloat16 cannot count to n."""
    summands = gates.to(torch.promote_types(gates.dtype, torch.float32))
    from_j_on = summands.new_ones(gates.shape[-1], gates.shape[-1]).tril()
    with torch.autocast(gates.device.type, enabled=False):
        # a matrix product, because cumulative sums are not deterministic on a GPU
        return summands @ from_j_on


def interpolate(scores: Tensor, position: Tensor) -> Tensor:
    """Interpolate scores [..., m, P] of whole positions 0..P - 1 linearly at positions [..., m, n]."""
    below = position.detach().long().clamp(max=scores.shape[-1] - 2)
    low, high = scores.gather(-1, below), scores.gather(-1, below + 1)
    return low + (position - below) * (high - low)
