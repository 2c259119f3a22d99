"""The post-norm block of Ito et al. (arXiv 2406.08272)."""

import torch
from torch import Tensor, nn

from ..encodings.interface import PositionalEncoding
from ..randomness.streams import Generators
from ..settings.sizes import Model
from .asked import Rows, pick
from .attention import Attention, Normaliser
from .layers import LayerNorm, Linear, gelu


class Block(nn.Module):
    """Attention, add & norm, MLP d -> 4d (+ extra_hidden) -> d with GELU after both layers, add & norm."""

    def __init__(
        self,
        sizes: Model,
        normaliser: Normaliser,
        gain: float,
        generators: Generators,
        extra_hidden: int = 0,
    ) -> None:
        super().__init__()
        width, hidden = sizes.width, sizes.expansion * sizes.width + extra_hidden
        self.attention = Attention(width, sizes.heads, normaliser, gain, generators)
        self.norm_attention = LayerNorm(width, len(generators))
        self.widen = Linear(width, hidden, generators)
        self.narrow = Linear(hidden, width, generators)
        self.norm_mlp = LayerNorm(width, len(generators))

    @torch.no_grad()
    def scale_queries_and_keys(self, gain: float) -> None:
        """Multiply the weights that make them; query biases are 0 at the start."""
        weight = self.attention.query.weight
        weight.mul_(gain)
        self.attention.key_value[..., : weight.shape[-1]].mul_(gain)

    def forward(self, x: Tensor, rows: Rows, encoding: PositionalEncoding, block: int) -> Tensor:
        """Map x [R, B, n, d] -> [R, B, m, d] for the m tokens `rows` that are read later."""
        read = pick(x, rows)
        flat = (read.shape[0], -1, read.shape[3])  # [R, B*m, d]
        attended = self.norm_attention((read + self.attention(x, rows, encoding, block)).view(flat))
        hidden = gelu(self.narrow(gelu(self.widen(attended))))
        out: Tensor = self.norm_mlp(attended + hidden)
        return out.view(read.shape)
