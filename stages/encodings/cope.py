"""Contextual position encoding: positions counted back over the tokens that a query's gates let through.

Causal. p_ij = sum_{k=j..i} sigmoid(q_i . k_k), clipped to `max_position`; q_i . e[p_ij] is added to the
logit, e interpolated between whole positions, 0 at first (Golovneva et al. 2024, arXiv 2405.18719). Vectors e
of their own for every block, shared by its heads.
"""

from math import sqrt

import torch
from pydantic.dataclasses import dataclass
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding, Shape
from stages.parameters.kinds import STRICT, Count
from stages.positions.offsets import without_future
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    max_position: Count | None = None  # null: n, so that nothing is clipped


class Encoding(PositionalEncoding):
    """Vectors e [R, blocks, max_position + 1, d_h] of the positions 0..max_position."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        self.max_position = settings.max_position or len(shape.indices)
        size = (len(generators), shape.blocks, self.max_position + 1, shape.head_width)
        self.vectors = nn.Parameter(torch.zeros(size))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        # ASSUME q.k and q.e unscaled, as the formulas stand; only the content's logit has the 1/sqrt(d_h)
        gates = torch.sigmoid(without_future(logits * sqrt(q.shape[-1]), rows))
        position = counted_back(gates).clamp(max=self.max_position)
        scores = torch.einsum("rbhid,rpd->rbhip", q, self.vectors[:, block])
        return without_future(logits + interpolated(scores, position), rows)


def counted_back(gates: Tensor) -> Tensor:
    """sum_{k >= j} g_ik of gates [..., m, n], in float32 at least: bfloat16 cannot count to n."""
    summands = gates.to(torch.promote_types(gates.dtype, torch.float32))
    from_j_on = summands.new_ones(gates.shape[-1], gates.shape[-1]).tril()
    with torch.autocast(gates.device.type, enabled=False):
        # a product, as cumulative sums have no fixed order on a GPU
        return summands @ from_j_on


def interpolated(scores: Tensor, position: Tensor) -> Tensor:
    """Scores [..., m, P] of whole positions 0..P - 1, linearly between them at positions [..., m, n]."""
    below = position.detach().long().clamp(max=scores.shape[-1] - 2)
    low, high = scores.gather(-1, below), scores.gather(-1, below + 1)
    return low + (position - below) * (high - low)
