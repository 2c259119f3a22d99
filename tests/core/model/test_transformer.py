"""The stacked model against torch's own layers, one replica at a time."""

import pytest
import torch
from torch import Tensor, nn

from stages.core.encodings.interface import PositionalEncoding
from stages.core.model.attention import ALL
from stages.core.model.layers import Linear, TokenEmbedding
from stages.core.model.normalisers import softmax
from stages.core.model.post_norm import Block
from stages.core.model.transformer import Markers, Transformer
from stages.core.randomness.streams import Replicates
from stages.core.settings.sizes import Model

SIZES = Model(width=12, blocks=2, heads=3, expansion=4)
STREAMS = Replicates(0, "test", range(3))
LAST = slice(-1, None)
NOWHERE = PositionalEncoding()


class Table(PositionalEncoding):
    """100 before the first block, 200 before the second."""

    def table(self, block: int) -> Tensor:
        return torch.full((1, 5, 12), 100.0 * (block + 1))


def torch_linear(layer: Linear, replica: int) -> nn.Linear:
    d_in, d_out = layer.weight.shape[1:]
    made = nn.Linear(d_in, d_out, dtype=torch.float64)
    made.load_state_dict({"weight": layer.weight[replica].T, "bias": layer.bias[replica, 0]})
    return made


def reference_block(block: Block, replica: int, x: Tensor) -> Tensor:
    """Build the published block from torch.nn.MultiheadAttention and torch.nn.LayerNorm, x [B, n, d]."""
    width, ours = x.shape[-1], block.attention
    query_bias, value_bias = ours.query.bias[replica, 0], ours.value_bias[replica, 0]
    attention = nn.MultiheadAttention(width, SIZES.heads, batch_first=True, dtype=torch.float64)
    attention.load_state_dict(
        {
            "in_proj_weight": torch.cat([ours.query.weight[replica].T, ours.key_value[replica].T]),
            "in_proj_bias": torch.cat([query_bias, torch.zeros(width), value_bias]),
            "out_proj.weight": ours.out.weight[replica].T,
            "out_proj.bias": ours.out.bias[replica, 0],
        }
    )
    norms = []
    for layer in (block.norm_attention, block.norm_mlp):
        norms.append(nn.LayerNorm(width, dtype=torch.float64))
        norms[-1].load_state_dict({"weight": layer.scale[replica, 0], "bias": layer.offset[replica, 0]})
    attended = norms[0](x + attention(x, x, x, need_weights=False)[0])
    widen, narrow, gelu = torch_linear(block.widen, replica), torch_linear(block.narrow, replica), nn.GELU()
    return torch.as_tensor(norms[1](attended + gelu(narrow(gelu(widen(attended))))))


def randomise(module: nn.Module) -> nn.Module:
    """Draw all parameters again, so that those that start at a constant count too."""
    torch.manual_seed(0)
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    return module.double()


def block(sizes: Model = SIZES) -> Block:
    return Block(sizes, softmax, 1, STREAMS.generators("weights"))


def transformer(
    encoding: PositionalEncoding = NOWHERE,
    read: slice = LAST,
    n_tables: int = SIZES.blocks,
    markers: Markers | None = None,
) -> Transformer:
    weights = STREAMS.generators("weights")
    embedding = TokenEmbedding(6, SIZES.width, weights)
    blocks = [Block(SIZES, softmax, 1, weights) for _ in range(SIZES.blocks)]
    return Transformer(embedding, markers, encoding, n_tables, blocks, Linear(12, 4, weights), read)


def hundreds_before_blocks(model: Transformer) -> list[list[int]]:
    """Return the hundreds in each token's mean as it enters each block."""
    entered: list[list[int]] = []
    for made in model.blocks:
        made.register_forward_pre_hook(
            lambda _, inputs: entered.append((inputs[0].mean((0, 1, 3)) / 100).round().int().tolist())
        )
    model(torch.zeros(3, 1, 5, dtype=torch.long))
    return entered


@torch.no_grad()
def test_a_block_equals_torch_s_layers() -> None:
    made = block()
    randomise(made)
    x = torch.randn(3, 2, 5, 12, dtype=torch.float64)
    expected = torch.stack([reference_block(made, k, x[k]) for k in range(3)])
    torch.testing.assert_close(made(x, ALL, NOWHERE, 0), expected, rtol=1e-10, atol=1e-10)


@torch.no_grad()
@pytest.mark.parametrize(
    ("tables", "markers", "means"),
    [
        (2, None, [[1] * 5, [2] * 5]),
        (1, None, [[1] * 5, [0] * 5]),
        (1, Markers(torch.full((3, 3, 12), -300.0), before=2), [[-3, -3, 1, 1, 1, 1, 1, -3], [0] * 8]),
    ],
)
def test_a_table_is_added_to_tokens_but_markers_before_every_block_or_at_the_input(
    tables: int, markers: Markers | None, means: list[list[int]]
) -> None:
    assert hundreds_before_blocks(transformer(Table(), ALL, tables, markers)) == means


class Conditioned(PositionalEncoding):
    """Keeps what it is given, and adds 100 before the second block."""

    given: list[tuple[int, ...]] = []

    def condition(self, block: int, x: Tensor) -> Tensor:
        self.given.append(tuple(x.shape))
        return x + 100.0 * block


@torch.no_grad()
@pytest.mark.parametrize(
    ("markers", "means"),
    [(None, [[0] * 5, [1] * 5]), (Markers(torch.zeros(3, 3, 12), before=2), [[0] * 8, [0, 0, *[1] * 5, 0]])],
)
def test_tokens_are_conditioned_before_each_block_without_markers(
    markers: Markers | None, means: list[list[int]]
) -> None:
    encoding = Conditioned()
    assert hundreds_before_blocks(transformer(encoding, ALL, markers=markers)) == means
    assert encoding.given[-2:] == [(3, 1, 5, 12)] * 2


@torch.no_grad()
@pytest.mark.parametrize("read", [ALL, LAST, slice(1, 3)])
def test_markers_are_seen_and_never_read(read: slice) -> None:
    tokens = torch.randint(0, 6, (3, 2, 5))
    vectors = torch.randn(3, 2, 12)
    marked = transformer(read=read, markers=Markers(vectors, before=1))
    assert marked(tokens).shape == transformer(read=read)(tokens).shape
    assert not torch.allclose(marked(tokens), transformer(read=read)(tokens))
    everything = transformer(read=ALL, markers=Markers(vectors, before=1))
    torch.testing.assert_close(marked(tokens), everything(tokens)[:, :, read])


@torch.no_grad()
def test_token_look_up_is_the_linear_map_of_one_hot_codes() -> None:
    embedding = TokenEmbedding(6, 8, STREAMS.generators("weights"))
    codes = torch.randint(0, 6, (3, 4, 5))
    one_hot = nn.functional.one_hot(codes, 6)[..., 1:].float()  # blank = zeros
    expected = embedding.linear(one_hot.flatten(1, 2)).view(3, 4, 5, 8)
    torch.testing.assert_close(embedding(codes), expected)


def test_initial_values_have_torch_s_ranges() -> None:
    made = Block(Model(64, 1, 1, 4), softmax, 1, Replicates(0, "t", range(4)).generators("weights"))
    torch.manual_seed(0)
    attention, linear = nn.MultiheadAttention(64, 1), nn.Linear(64, 256)
    assert attention.in_proj_weight is not None
    pairs = [
        (made.attention.query.weight, attention.in_proj_weight),
        (made.attention.out.weight, attention.out_proj.weight),
        (made.widen.weight, linear.weight),
        (made.widen.bias, linear.bias),
    ]
    for ours, theirs in pairs:
        torch.testing.assert_close(ours.std(), theirs.std(), rtol=0.05, atol=0)
        torch.testing.assert_close(ours.abs().max(), theirs.abs().max(), rtol=0.02, atol=0)
    assert not made.attention.query.bias.any() and not made.attention.out.bias.any()
