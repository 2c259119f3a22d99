"""A small network of each pair's distance, on a logarithmic scale that is trained too.

b_ij + MLP_h(psi(|x_j - x_i|) / psi(largest distance)), psi(x) = log(1 + c x). Distances are Euclidean,
in steps of a lattice; each block has its own network and c. ASSUME no threshold; the source divides by
psi(max(L, i)) with a trained L.
Source: Li et al. 2024 (FIRE), arXiv 2310.04418, equation 4, there causal: i - j over i.
"""

import torch
from scipy.spatial.distance import cdist
from torch import Tensor, nn

from ..settings.kinds import Count, Positive
from .bases.pairs import PairNetwork
from .interface import Host, refuse_markers, require


class Encoding(PairNetwork):
    """Trained c [R, blocks], all `steepness` at the start, and network; distances [1, n, n]."""

    distances: Tensor

    def __init__(self, host: Host, hidden: Count = 32, steepness: Positive = 0.1) -> None:
        super().__init__(1, hidden, host)
        places = require("fire", host, "steps")
        refuse_markers("fire", host)
        self.register_buffer("distances", torch.from_numpy(cdist(places, places))[None])
        self.steepness = nn.Parameter(torch.full((len(host.generators), host.blocks), steepness))

    def features(self, block: int, rows: slice) -> Tensor:
        steepness = self.steepness[:, block, None, None].abs()
        far = self.distances.to(steepness.dtype)
        largest = far.amax().clamp(min=1)  # of a single token it is 0
        scaled = torch.log1p(steepness * far[:, rows]) / torch.log1p(steepness * largest)
        return scaled[..., None]
