"""The gated attention unit against its formula, one token and replica at a time."""

import math

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from stages.core.encodings.interface import PositionalEncoding
from stages.core.model import normalisers
from stages.core.model.attention import ALL, Normaliser
from stages.core.model.gau import Block
from stages.core.model.layers import Linear
from stages.core.randomness.streams import Replicates
from stages.core.settings.sizes import Model

SIZES = Model(width=6, blocks=1, heads=1, expansion=2)
STREAMS = Replicates(0, "test", range(3))
NOWHERE = PositionalEncoding()
Matrix = NDArray[np.float64]


class Later(PositionalEncoding):
    """Adds 0.3 times the offset to the logits of content."""

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        places = torch.arange(logits.shape[-1]).to(logits)
        return logits + 0.3 * (places - places[rows, None])


def make_block(normaliser: Normaliser = normalisers.relu2_mean) -> Block:
    """Make a block in float64 whose every parameter is drawn, also those that start at a constant."""
    block = Block(SIZES, normaliser, STREAMS.generators("weights")).double()
    for name, parameter in block.named_parameters():
        draws = [stream.normal(0, 0.5, parameter.shape[1:]) for stream in STREAMS.generators(name)]
        nn.Parameter.copy_(parameter.data, torch.from_numpy(np.stack(draws)))
    return block


def tokens() -> Tensor:
    return torch.randn(3, 2, 5, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1))


def silu(x: Matrix) -> Matrix:
    return np.asarray(x / (1 + np.exp(-x)))


def linear(layer: Linear, replica: int, x: Matrix) -> Matrix:
    return np.asarray(x @ layer.weight[replica].numpy() + layer.bias[replica, 0].numpy())


def expected(block: Block, replica: int, x: Matrix, slope: float) -> Matrix:
    """Return norm(x + (U * A V) W_o) with A = relu(Q K^T / sqrt(s) + slope (j - i))^2 / n, x [n, d]."""
    n = len(x)
    gate, value, shared = (silu(linear(part, replica, x)) for part in (block.gate, block.value, block.shared))
    scale, offset = block.scale[replica, :, 0].numpy(), block.offset[replica, :, 0].numpy()
    q, k = shared * scale[0] + offset[0], shared * scale[1] + offset[1]
    mixed = np.zeros_like(value)
    for i in range(n):
        for j in range(n):
            logit = sum(a * b for a, b in zip(q[i], k[j], strict=True)) / math.sqrt(128)
            mixed[i] += max(logit + slope * (j - i), 0) ** 2 / n * value[j]
    out = x + linear(block.out, replica, gate * mixed)
    out = (out - out.mean(-1, keepdims=True)) / np.sqrt(out.var(-1, keepdims=True) + 1e-5)
    return np.asarray(out * block.norm.scale[replica, 0].numpy() + block.norm.offset[replica, 0].numpy())


@torch.no_grad()
@pytest.mark.parametrize(("encoding", "slope"), [(NOWHERE, 0.0), (Later(), 0.3)])
def test_a_unit_is_its_formula(encoding: PositionalEncoding, slope: float) -> None:
    block, x = make_block(), tokens()
    assert block.shared.weight.shape == (3, 6, 128) and block.value.weight.shape == (3, 6, 12)
    actual = block(x, ALL, encoding, 0).numpy()
    for replica in range(3):
        for example in range(2):
            wanted = expected(block, replica, x[replica, example].numpy(), slope)
            np.testing.assert_allclose(actual[replica, example], wanted, rtol=1e-10, atol=1e-10)


@torch.no_grad()
def test_tokens_that_are_not_read_change_no_other() -> None:
    block, x = make_block(), tokens()
    for rows in (slice(-1, None), slice(1, 3)):
        torch.testing.assert_close(block(x, rows, Later(), 0), block(x, ALL, Later(), 0)[:, :, rows])


@torch.no_grad()
def test_the_normaliser_is_the_one_given() -> None:
    """Rows that sum to one hide an encoding from equal tokens, as they do in any attention."""
    x = tokens()[:, :, :1].expand(-1, -1, 5, -1)
    for normaliser, hidden in [(normalisers.softmax, True), (normalisers.relu2_mean, False)]:
        out = make_block(normaliser)(x, ALL, Later(), 0)
        assert torch.allclose(out, out[:, :, :1].expand_as(out), rtol=1e-12) is hidden
