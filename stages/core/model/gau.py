"""The gated attention unit, post-norm; it replaces attention and MLP (Hua et al. 2022, arXiv 2202.10447)."""

import torch
from torch import Tensor, nn
from torch.nn.functional import silu

from ..encodings.interface import PositionalEncoding
from ..randomness.streams import Generators
from ..settings.sizes import Model
from .asked import Rows, pick
from .attention import Normaliser, attend
from .layers import LayerNorm, Linear

QUERY_WIDTH = 128  # s, width of the projection that queries and keys share
EXPANSION = 2  # hidden width / d
# ASSUME initial scale of queries and keys: near 0 squared logits start flat and training stalls; with 1
# exp_mean does not always recover
SCALE = 0.3


class Block(nn.Module):
    """norm(x + (U * A V) W_o) with one head; U, V, Z = silu of linear maps of x.

    Queries and keys are Z times a scale per column plus an offset, 0 at the start. A is the normalised
    Q K^T / sqrt(s); the paper normalises with relu2_mean.
    """

    def __init__(self, sizes: Model, normaliser: Normaliser, generators: Generators) -> None:
        super().__init__()
        self.normaliser = normaliser
        hidden = EXPANSION * sizes.width
        self.gate = Linear(sizes.width, hidden, generators)
        self.value = Linear(sizes.width, hidden, generators)
        self.shared = Linear(sizes.width, QUERY_WIDTH, generators)
        self.scale = nn.Parameter(torch.full((len(generators), 2, 1, QUERY_WIDTH), SCALE))
        self.offset = nn.Parameter(torch.zeros(len(generators), 2, 1, QUERY_WIDTH))
        self.out = Linear(hidden, sizes.width, generators)
        self.norm = LayerNorm(sizes.width, len(generators))

    @torch.no_grad()
    def scale_queries_and_keys(self, gain: float) -> None:
        """Multiply the scales that make them of Z; the offsets are 0 at the start."""
        self.scale.mul_(gain)

    def forward(self, x: Tensor, rows: Rows, encoding: PositionalEncoding, block: int) -> Tensor:
        """Map x [R, B, n, d] -> [R, B, m, d] for the m tokens `rows` that are read later."""
        replicas, batch, n, _ = x.shape
        tokens, read = x.flatten(1, 2), pick(x, rows)
        v = silu(self.value(tokens)).view(replicas, batch, 1, n, -1)
        z = silu(self.shared(tokens))
        # queries and keys have a scale and an offset each
        q = torch.addcmul(self.offset[:, 0], z, self.scale[:, 0]).view(replicas, batch, n, -1)
        k = torch.addcmul(self.offset[:, 1], z, self.scale[:, 1]).view(replicas, batch, 1, n, -1)
        mixed = attend(pick(q, rows)[:, :, None], k, v, x, rows, self.normaliser, encoding, block)[:, :, 0]
        gated = silu(self.gate(read.flatten(1, 2))) * mixed.flatten(1, 2)
        out: Tensor = self.norm(read.flatten(1, 2) + self.out(gated))
        return out.view(read.shape)
