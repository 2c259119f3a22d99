"""Try by a few drawn tokens what the biases and rotations of a scheme depend on."""

import torch
from torch import Tensor

from .encodings.interface import Host, PositionalEncoding
from .model.attention import ALL
from .precision import alike, multiply


def draw_parameters(encoding: PositionalEncoding) -> PositionalEncoding:
    """Draw all parameters, some of which start at 0, in float64."""
    trial, generator = encoding.double(), torch.Generator().manual_seed(0)
    for parameter in trial.parameters():
        torch.nn.init.normal_(parameter, generator=generator)
    return trial


@torch.no_grad()
def biases_differ(trial: PositionalEncoding, host: Host, queries: int, tokens: int) -> set[int]:
    """List the blocks whose biases change among so many drawn queries and keys, and tokens."""
    n = len(host.indices)
    generator = torch.Generator().manual_seed(1)
    qk = draw(generator, queries, 2, 1, 1, host.heads, n, host.head_width)
    x = draw(generator, tokens, 1, 1, n, host.width)
    pairs = [(q, k, multiply(q, k), each) for q, k in qk for each in x]
    return {
        block
        for block in range(host.blocks)
        if not alike(trial.logits(block, qk, q, k, x, ALL) - qk for q, k, qk, x in pairs)
    }


@torch.no_grad()
def turns_alike(trial: PositionalEncoding, host: Host) -> bool:
    """Tell whether a key is rotated alike in every head."""
    one = draw(torch.Generator().manual_seed(1), 1, 1, 1, len(host.indices), host.head_width)
    keys = one.expand(-1, -1, host.heads, -1, -1)
    return all(alike(trial.rotate(block, keys, keys, ALL)[1].unbind(2)) for block in range(host.blocks))


def draw(generator: torch.Generator, *size: int) -> Tensor:
    return torch.randn(size, dtype=torch.float64, generator=generator)
