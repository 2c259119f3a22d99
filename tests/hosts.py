"""The tests of encodings share a made-up host, the schemes inside attention, and random inputs."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from torch import Tensor, nn

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.encodings.lookup.resolve import create, schemes
from stages.core.model.attention import ALL, attend
from stages.core.model.normalisers import softmax
from stages.core.positions.positions import Positions
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration

Settings = dict[str, Any]
CASES: list[tuple[str, Settings]] = [
    ("rope", {}),
    ("rope", {"fraction": 0.5}),
    ("rope_nd", {}),
    ("shaw_key", {"max_distance": 3}),
    ("shaw", {"max_distance": 3}),
    ("shaw", {"max_distance": 100}),
    ("music_transformer", {}),
    ("transformer_xl", {}),
    ("t5_bias", {}),
    ("t5_bias", {"buckets": 8, "max_distance": 12}),
    ("alibi", {}),
    ("toeplitz_bias", {}),
    ("deberta", {}),
    ("deberta", {"max_distance": 3}),
    ("cope", {}),
    ("cope", {"max_position": 2}),
    ("causal_none", {}),
    ("urpe", {}),
    ("urpe", {"clip": 2}),
    ("urpe", {"clip": 100}),
    ("cpb", {}),
    ("fire", {}),
    ("hop_bias", {}),
    ("hop_bias", {"limit": 2}),
    ("rrwp_bias", {}),
    ("rrwp_bias", {"steps": 3}),
    ("rope_mixed", {}),
    ("rope_mixed", {"positions": "spectral", "components": 3}),
    ("liere", {}),
    ("liere", {"size": 3}),
    ("liere", {"size": 4, "init_std": 1.0}),
    ("pope", {}),
    ("kerple", {}),
    ("kerple", {"kernel": "power"}),
    ("sandwich", {"columns": 8}),
    ("sandwich", {"columns": 32}),
    ("erpe", {}),
    ("rope_scaled", {"method": "interpolation", "trained_tokens": 4}),
    ("rope_scaled", {"method": "ntk", "trained_tokens": 4}),
    ("rope_scaled", {"method": "yarn", "trained_tokens": 4}),
    ("rope_scaled", {"method": "yarn", "trained_tokens": 64, "factor": 2.5}),
    ("fope", {}),
    ("fope", {"trained_tokens": 1000}),
    ("fope", {"trained_tokens": 10000, "train_coefficients": True, "gain": 0.6}),
    ("fox", {}),
    ("cable", {}),
    ("path", {}),
    ("xpos", {}),
    ("xpos", {"scale_base": 4}),
    ("tupe", {}),
    ("tupe", {"relative": True}),
]
OF_PLACES = {"rope_nd", "cpb", "fire", "hop_bias", "rrwp_bias", "rope_mixed", "liere"}  # not of the index
OF_TWO_PLACES = {"fope"}  # of the indices of query and key, where others read the offset alone
OF_PARTS = {"combined", "per_block"}  # nothing without parts
ALONE = [scheme for scheme in schemes() if scheme not in OF_PARTS]
Inputs = tuple[Tensor, Tensor, Tensor, Tensor]


def make_host(
    n: int = 16,
    heads: int = 3,
    head_width: int = 6,
    first: int = 0,
    numbers: range = range(2),
    n_tables: int = 2,
) -> Host:
    """Make a host of two blocks, with values not as wide as queries.

    Tokens on a lattice have all that a scheme may need.
    """
    random, side = np.random.default_rng(n), round(n**0.5)
    lattice = np.indices((side, side)).reshape(2, -1).T * 17.5 - 60  # schemes find the unit of the lattice
    graph = random.exponential(size=(n, n)) * (random.random((n, n)) < 0.1)  # some nodes out of reach
    functional = np.atleast_2d(np.corrcoef(random.normal(size=(2 * n + 5, n)), rowvar=False))
    distances = {
        "lattice": cdist(lattice, lattice),
        "index": cdist(np.arange(n)[:, None], np.arange(n)[:, None]),
    }
    positions = Positions(n, lattice, graph, functional, distances)
    generators = Replicates(0, "test", numbers).generators("encoding")
    indices = tuple(range(first, first + n))
    return Host(positions, generators, 2, heads * 4, heads, head_width, head_width - 1, indices, n_tables)


def make_encoding(
    scheme: str, settings: Settings | None = None, host: Host | None = None, **other: Any
) -> PositionalEncoding:
    return create(Configuration("pe", scheme, settings or {}), host or make_host(**other))


def randomise(encoding: PositionalEncoding) -> PositionalEncoding:
    """Draw all parameters again, so that those that start at a constant count too."""
    torch.manual_seed(1)
    for parameter in encoding.parameters():
        nn.init.normal_(parameter, std=0.3)
    return encoding


def inputs(host: Host, replicas: int = 2, batch: int = 2) -> Inputs:
    """Draw q, k [R, B, H, n, d_h], v [R, B, H, n, d_v] and x [R, B, n, d], in float64 as float32 has them."""
    torch.manual_seed(0)
    widths = (host.head_width, host.head_width, host.value_width)
    size = (replicas, batch, host.heads, len(host.indices))
    q, k, v = (torch.randn(*size, width).double() for width in widths)
    return q, k, v, torch.randn(replicas, batch, size[-1], host.width).double()


def output(encoding: PositionalEncoding, qkv: Inputs, rows: slice = ALL) -> Tensor:
    q, k, v, x = qkv
    return attend(q[..., rows, :], k, v, x, rows, softmax, encoding, 1)


def tables_of(encoding: PositionalEncoding) -> NDArray[np.float64]:
    """Return tables of two blocks [R, 2, n, d]."""
    added = [encoding.table(block) for block in range(2)]
    return np.stack([table.detach().double().numpy() for table in added if table is not None], axis=1)


def assert_close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-11, atol=1e-11)
