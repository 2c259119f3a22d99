"""Every scheme inside attention against its naive rebuild, with all parameters random."""

import numpy as np
import pytest
import torch
from hosts import CASES, Inputs, Settings, inputs, make_encoding, make_host, randomise
from naive_attention import Head, naive_outputs
from torch import Tensor

from stages.encodings.interface import Host, PositionalEncoding
from stages.encodings.t5_bias import bucket
from stages.model.attention import ALL, Normaliser, attend
from stages.model.normalisers import softmax

NORMALISERS: dict[bool, Normaliser] = {True: softmax, False: torch.exp}


def naive(
    scheme: str,
    settings: Settings,
    encoding: PositionalEncoding,
    host: Host,
    qkv: Inputs,
    normalised: bool,
    block: int,
) -> Tensor:
    """[R, B, H, n, d_v], one head at a time."""
    side = round(host.positions.n_tokens**0.5)
    coordinates = np.indices((side, side), float).reshape(2, -1).T
    outputs = torch.zeros_like(qkv[2])
    for r, b, h in torch.cartesian_prod(*map(torch.arange, outputs.shape[:3])).tolist():
        q, k, v = (part[r, b, h].numpy() for part in qkv)
        parameters = {key: value[r].detach().double().numpy() for key, value in encoding.named_parameters()}
        head = Head(q, k, v, h, host.heads, block, host.width, parameters, settings, coordinates)
        outputs[r, b, h] = torch.from_numpy(naive_outputs(scheme, head, normalised))
    return outputs


@torch.no_grad()
@pytest.mark.parametrize("normalised", [True, False])
@pytest.mark.parametrize(("n", "heads"), [(1, 1), (1, 3), (16, 1), (16, 3)])
@pytest.mark.parametrize(("scheme", "settings"), CASES)
def test_attention_is_the_formula(
    scheme: str, settings: Settings, n: int, heads: int, normalised: bool
) -> None:
    host = make_host(n, heads)
    encoding = randomise(make_encoding(scheme, settings, host))
    qkv, block = inputs(host), int(heads == 3)
    expected = naive(scheme, settings, encoding, host, qkv, normalised, block)
    for dtype, tolerance in ((torch.float32, 1e-6), (torch.float64, 1e-13)):
        q, k, v = (part.to(dtype) for part in qkv)
        if dtype == torch.float64:
            encoding.double()
        for rows in (ALL, slice(-1, None), slice(n // 3, n // 3 + 2), slice(0, 1)):
            actual = attend(q[..., rows, :], k, v, rows, NORMALISERS[normalised], encoding, block)
            assert actual.dtype == dtype
            error = (actual - expected[..., rows, :]).abs().max() / expected.abs().max()
            assert error < tolerance


def test_t5_buckets_by_hand() -> None:
    # the first 8 hold a distance each; the others begin at 8 * 16^(step / 8) = 11.3, 16, 22.6, 32, ..., 90.5
    before = {0: 0, 1: 1, 7: 7, 8: 8, 11: 8, 12: 9, 15: 9, 16: 10, 22: 10, 23: 11, 32: 12, 64: 14, 90: 14}
    before |= {91: 15, 128: 15, 1000: 15}
    assert {distance: bucket(-distance, buckets=32, max_distance=128) for distance in before} == before
    assert [bucket(offset, 32, 128) for offset in (1, 7, 16, 500)] == [17, 23, 26, 31]


def test_smallest_t5_buckets_tell_only_the_side() -> None:
    assert [bucket(offset, 4, 2) for offset in (-9, -1, 0, 1, 9)] == [1, 1, 0, 3, 3]
