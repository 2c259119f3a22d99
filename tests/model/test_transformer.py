"""The stacked model against torch's own layers, one replica at a time."""

import torch
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding, Shape, create
from stages.model.layers import FeatureEmbedding, Linear, TokenEmbedding
from stages.model.transformer import ALL, Block, Transformer
from stages.numerics.positions import Positions
from stages.numerics.streams import Replicates
from stages.params import Configuration, Model

SIZES = Model(width=12, blocks=2, heads=3, expansion=4)
STREAMS = Replicates(0, "test", range(3))
LAST = slice(-1, None)


def torch_linear(layer: Linear, replica: int) -> nn.Linear:
    d_in, d_out = layer.weight.shape[1:]
    made = nn.Linear(d_in, d_out, dtype=torch.float64)
    made.load_state_dict({"weight": layer.weight[replica].T, "bias": layer.bias[replica, 0]})
    return made


def reference_block(block: Block, replica: int, x: Tensor) -> Tensor:
    """The published block from torch.nn.MultiheadAttention and torch.nn.LayerNorm, x [B, n, d]."""
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


def randomised(module: nn.Module) -> nn.Module:
    """All parameters drawn anew, so that those that start at a constant count too."""
    torch.manual_seed(0)
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    return module.double()


def transformer(scheme: str = "learned", read: slice = LAST) -> Transformer:
    shape = Shape(SIZES.blocks, 5, SIZES.width, SIZES.heads)
    encoding = create(Configuration("pe", scheme, {}), Positions(5), shape, STREAMS.generators("encoding"))
    weights = STREAMS.generators("weights")
    return Transformer(SIZES, TokenEmbedding(6, SIZES.width, weights), encoding, 4, read, weights)


@torch.no_grad()
def test_a_block_equals_torch_s_layers() -> None:
    block = Block(SIZES, STREAMS.generators("weights"))
    randomised(block)
    x = torch.randn(3, 2, 5, 12, dtype=torch.float64)
    expected = torch.stack([reference_block(block, k, x[k]) for k in range(3)])
    torch.testing.assert_close(block(x, ALL), expected, rtol=1e-10, atol=1e-10)


@torch.no_grad()
def test_reading_the_last_token_alone_changes_nothing() -> None:
    block = Block(SIZES, STREAMS.generators("weights"))
    x = torch.randn(3, 2, 5, 12)
    torch.testing.assert_close(block(x, LAST), block(x, ALL)[:, :, LAST])


@torch.no_grad()
def test_the_table_is_added_before_every_block() -> None:
    class Marked(PositionalEncoding):
        def table(self, block: int) -> Tensor:
            return torch.full((1, 5, 12), 100.0 * (block + 1))

    model = transformer("none", ALL)
    model.encoding = Marked()
    seen: list[float] = []
    for block in model.blocks:
        block.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0].mean().item()))
    model(torch.zeros(3, 1, 5, dtype=torch.long))
    assert [round(mean / 100) for mean in seen] == [1, 2]


@torch.no_grad()
def test_another_example_in_the_batch_never_changes_an_output() -> None:
    model = transformer()
    tokens = torch.randint(0, 6, (3, 4, 5))
    changed = tokens.clone()
    changed[:, 1:] = (changed[:, 1:] + 1) % 6
    torch.testing.assert_close(model(tokens)[:, 0], model(changed)[:, 0], rtol=1e-6, atol=1e-6)
    assert not torch.allclose(model(tokens)[:, 1], model(changed)[:, 1])


@torch.no_grad()
def test_token_look_up_is_the_linear_map_of_one_hot_codes() -> None:
    embedding = TokenEmbedding(6, 8, STREAMS.generators("weights"))
    codes = torch.randint(0, 6, (3, 4, 5))
    one_hot = nn.functional.one_hot(codes, 6)[..., 1:].float()  # blank = zeros
    expected = embedding.linear(one_hot.flatten(1, 2)).view(3, 4, 5, 8)
    torch.testing.assert_close(embedding(codes), expected)


@torch.no_grad()
def test_feature_embedding_is_a_linear_map_per_token() -> None:
    embedding = FeatureEmbedding(2, 8, STREAMS.generators("weights"))
    features = torch.randn(3, 4, 5, 2)
    linear = embedding.linear
    expected = torch.einsum("rbnf,rfd->rbnd", features, linear.weight) + linear.bias[:, None]
    torch.testing.assert_close(embedding(features), expected)


def test_initial_values_have_torch_s_ranges() -> None:
    block = Block(Model(64, 1, 1, 4), Replicates(0, "t", range(4)).generators("weights"))
    torch.manual_seed(0)
    attention, linear = nn.MultiheadAttention(64, 1), nn.Linear(64, 256)
    assert attention.in_proj_weight is not None
    pairs = [
        (block.attention.query.weight, attention.in_proj_weight),
        (block.attention.out.weight, attention.out_proj.weight),
        (block.widen.weight, linear.weight),
        (block.widen.bias, linear.bias),
    ]
    for ours, theirs in pairs:
        torch.testing.assert_close(ours.std(), theirs.std(), rtol=0.05, atol=0)
        torch.testing.assert_close(ours.abs().max(), theirs.abs().max(), rtol=0.02, atol=0)
    assert not block.attention.query.bias.any() and not block.attention.out.bias.any()


def test_weights_outside_the_encoding_are_the_same_in_every_configuration() -> None:
    learned, none = transformer("learned").state_dict(), transformer("none").state_dict()
    assert set(learned) - set(none) == {"encoding.tables"}
    assert all(torch.equal(learned[key], none[key]) for key in none)
