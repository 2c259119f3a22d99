"""A learned bias per head and number of edges between two tokens of the true graph.

b_ij + beta[h, min(hop(i, j), limit)], hop the edges on the shortest path, weights and directions ignored; one
more entry is for pairs that no path connects. The blocks share beta, N(0, 0.02^2) at the start.
Source: Ying et al. 2021 (Graphormer), arXiv 2106.05234, section 3.1.2.
"""

import numpy as np
import torch
from torch import Tensor, nn

from ..positions.distances import hops
from ..randomness.initial import normal
from ..settings.kinds import Count, NonNegative
from .interface import Host, PositionalEncoding, refuse_markers, require


class Encoding(PositionalEncoding):
    """Trained biases [R, H, limit + 2], the last for unconnected pairs; each pair's entry [1, n, n]."""

    entries: Tensor

    def __init__(self, host: Host, limit: Count = 20, init_std: NonNegative = 0.02) -> None:
        super().__init__()
        graph = require("hop_bias", host, "adjacency")
        refuse_markers("hop_bias", host)
        count, n = hops(graph), len(graph)
        entries = np.where(count == n, limit + 1, np.minimum(count, limit)).astype(np.int64)
        self.register_buffer("entries", torch.from_numpy(entries)[None])
        self.bias = nn.Parameter(normal(init_std, (host.heads, limit + 2), host.generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        return logits + self.bias[:, None, :, self.entries[0, rows]]
