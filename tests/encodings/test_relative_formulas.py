"""Every scheme inside attention against its naive rebuild, with all parameters random."""

import pytest
import torch
from naive_attention import Head, naive_outputs
from relative import CASES, Inputs, Settings, inputs, make_encoding, make_shape, randomise, square_lattice
from torch import Tensor

from stages.encodings.interface import PositionalEncoding, Shape
from stages.encodings.t5_bias import bucket
from stages.model.attention import ALL, Normaliser, attend
from stages.model.normalisers import softmax

NORMALISERS: dict[bool, Normaliser] = {True: softmax, False: torch.exp}


def naive(
    scheme: str,
    settings: Settings,
    encoding: PositionalEncoding,
    shape: Shape,
    qkv: Inputs,
    normalised: bool,
    block: int,
) -> Tensor:
    """[R, B, H, n, d_v], one head at a time."""
    coordinates = square_lattice(shape.n_tokens).coordinates
    assert coordinates is not None
    outputs = torch.zeros_like(qkv[2])
    for r, b, h in torch.cartesian_prod(*map(torch.arange, outputs.shape[:3])).tolist():
        q, k, v = (part[r, b, h].numpy() for part in qkv)
        parameters = {key: value[r].detach().double().numpy() for key, value in encoding.named_parameters()}
        head = Head(q, k, v, h, shape.heads, block, shape.width, parameters, settings, coordinates)
        outputs[r, b, h] = torch.from_numpy(naive_outputs(scheme, head, normalised))
    return outputs


@torch.no_grad()
@pytest.mark.parametrize("normalised", [True, False])
@pytest.mark.parametrize(("n", "heads"), [(1, 1), (1, 3), (16, 1), (16, 3)])
@pytest.mark.parametrize(("scheme", "settings"), CASES)
def test_attention_is_the_formula(
    scheme: str, settings: Settings, n: int, heads: int, normalised: bool
) -> None:
    shape = make_shape(n, heads)
    encoding = randomise(make_encoding(scheme, settings, shape))
    qkv, block = inputs(shape), int(heads == 3)
    expected = naive(scheme, settings, encoding, shape, qkv, normalised, block)
    for dtype, tolerance in ((torch.float32, 1e-6), (torch.float64, 1e-13)):
        q, k, v = (part.to(dtype) for part in qkv)
        if dtype == torch.float64:
            encoding.double()
        for rows in (ALL, slice(-1, None), slice(n // 3, n // 3 + 2), slice(0, 1)):
            actual = attend(q[..., rows, :], k, v, rows, NORMALISERS[normalised], encoding, block)
            assert actual.dtype == dtype
            error = (actual - expected[..., rows, :]).abs().max() / expected.abs().max()
            assert error < tolerance


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        (0, 0),
        (-1, 1),
        (-7, 7),
        (-8, 8),
        (-11, 8),
        (-12, 9),  # 8 * 16^(1/8) = 11.3
        (-15, 9),
        (-16, 10),  # 8 * 16^(2/8)
        (-23, 11),  # 8 * 16^(3/8) = 22.6
        (-32, 12),
        (-64, 14),
        (-90, 14),
        (-91, 15),  # 8 * 16^(7/8) = 90.5
        (-128, 15),
        (-1000, 15),
        (1, 17),
        (7, 23),
        (16, 26),
        (500, 31),
    ],
)
def test_t5_buckets_by_hand(offset: int, expected: int) -> None:
    assert bucket(offset, buckets=32, max_distance=128) == expected


def test_smallest_t5_buckets_tell_only_the_side() -> None:
    assert [bucket(offset, 4, 2) for offset in (-9, -1, 0, 1, 9)] == [1, 1, 0, 3, 3]
