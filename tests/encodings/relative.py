"""What the tests of schemes inside attention share: their settings, made encodings, random inputs."""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding, Shape, create
from stages.model.attention import ALL, attend
from stages.model.normalisers import softmax
from stages.parameters.params import Configuration
from stages.positions.positions import Positions
from stages.randomness.streams import Replicates

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
]
Inputs = tuple[Tensor, Tensor, Tensor]


def make_shape(n: int = 16, heads: int = 3, head_width: int = 6, first: int = 0) -> Shape:
    """Two blocks; values are not as wide as queries."""
    indices = tuple(range(first, first + n))
    return Shape(2, n, heads * 4, heads, head_width, head_width - 1, indices, n_tables=0)


def square_lattice(n: int) -> Positions:
    """Row by row on a square lattice."""
    side = round(n**0.5)
    return Positions(n, coordinates=np.indices((side, side)).reshape(2, -1).T.astype(np.float64))


def make_encoding(
    scheme: str, settings: Settings, shape: Shape | None = None, numbers: range = range(2)
) -> PositionalEncoding:
    shape = shape or make_shape()
    generators = Replicates(0, "test", numbers).generators("encoding")
    lattice = square_lattice(shape.n_tokens).coordinates
    assert lattice is not None
    positions = Positions(shape.n_tokens, lattice * 17.5 - 60)  # schemes find the unit of the lattice
    return create(Configuration("pe", scheme, settings), positions, shape, generators)


def randomise(encoding: PositionalEncoding) -> PositionalEncoding:
    """All parameters drawn anew, so that those that start at a constant count too."""
    torch.manual_seed(1)
    for parameter in encoding.parameters():
        nn.init.normal_(parameter, std=0.3)
    return encoding


def inputs(shape: Shape, replicas: int = 2, batch: int = 2) -> Inputs:
    """q, k [R, B, H, n, d_h] and v [R, B, H, n, d_v]: exact in float32, held in float64."""
    torch.manual_seed(0)
    n = len(shape.indices)
    widths = (shape.head_width, shape.head_width, shape.value_width)
    q, k, v = (torch.randn(replicas, batch, shape.heads, n, width).double() for width in widths)
    return q, k, v


def output(encoding: PositionalEncoding, qkv: Inputs, rows: slice = ALL) -> Tensor:
    q, k, v = qkv
    return attend(q[..., rows, :], k, v, rows, softmax, encoding, 1)
