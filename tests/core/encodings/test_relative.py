"""Schemes inside attention: each against its naive rebuild, and what must hold whatever the formula."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hosts import (
    CASES,
    OF_PLACES,
    OF_TWO_PLACES,
    Inputs,
    Settings,
    assert_close,
    inputs,
    make_encoding,
    make_host,
    output,
    randomise,
)
from naive_attention import naive_outputs
from naive_head import Head
from random_tasks import puzzles
from torch import Tensor
from torch.autograd import gradcheck

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.model.attention import ALL, Normaliser, attend
from stages.core.model.normalisers import softmax
from stages.core.positions.positions import Positions
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.sizes import Model
from stages.training.assemble import assemble
from stages.training.forward import forward_replicas

OF_OFFSETS = [case for case in CASES if case[0] not in OF_PLACES | OF_TWO_PLACES]
NORMALISERS: dict[bool, Normaliser] = {True: softmax, False: torch.exp}
every_case = pytest.mark.parametrize(("scheme", "settings"), CASES)
QKV = inputs(make_host())
ARCHITECTURES = [
    Architecture(markers="cls_sep", extra_hidden=3),
    Architecture(normaliser="l2"),
    Architecture(block="gau"),
    Architecture(block="gau", normaliser="exp_mean", markers="cls"),
]


def naive(
    scheme: str,
    settings: Settings,
    encoding: PositionalEncoding,
    host: Host,
    qkv: Inputs,
    normalised: bool,
    block: int,
) -> Tensor:
    """Compute outputs [R, B, H, n, d_v], one head at a time."""
    side = round(host.positions.n_tokens**0.5)
    coordinates = np.indices((side, side), float).reshape(2, -1).T
    outputs = torch.zeros_like(qkv[2])
    for r, b, h in torch.cartesian_prod(*map(torch.arange, outputs.shape[:3])).tolist():
        q, k, v = (part[r, b, h].numpy() for part in qkv[:3])
        held = [*encoding.named_parameters(), *encoding.named_buffers()]
        parameters = {key: value[r % len(value)].detach().double().numpy() for key, value in held}
        adjacency = host.positions.adjacency
        assert adjacency is not None
        head = Head(
            q,
            k,
            v,
            qkv[3][r, b].numpy(),
            h,
            host.heads,
            block,
            host.width,
            parameters,
            settings,
            coordinates,
            adjacency,
        )
        outputs[r, b, h] = torch.from_numpy(naive_outputs(scheme, head, normalised))
    return outputs


@torch.no_grad()
@pytest.mark.parametrize(("n", "heads", "normalised"), [(1, 3, False), (16, 1, True), (16, 3, False)])
@every_case
def test_attention_is_the_formula(
    scheme: str, settings: Settings, n: int, heads: int, normalised: bool
) -> None:
    host = make_host(n, heads)
    encoding = randomise(make_encoding(scheme, settings, host))
    qkv, block = inputs(host), int(heads == 3)
    expected = naive(scheme, settings, encoding, host, qkv, normalised, block)
    for dtype, tolerance in ((torch.float32, 1e-6), (torch.float64, 1e-13)):
        q, k, v, x = (part.to(dtype) for part in qkv)
        if dtype == torch.float64:
            encoding.double()
        for rows in (ALL, slice(-1, None), slice(n // 3, n // 3 + 2), slice(0, 1)):
            actual = attend(q[..., rows, :], k, v, x, rows, NORMALISERS[normalised], encoding, block)
            assert actual.dtype == dtype
            error = (actual - expected[..., rows, :]).abs().max() / expected.abs().max()
            assert error < tolerance


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "settings"), OF_OFFSETS)
def test_a_shift_of_all_indices_changes_nothing(scheme: str, settings: Settings) -> None:
    unshifted, shifted = (
        randomise(make_encoding(scheme, settings, first=first)).double() for first in (0, -5)
    )
    assert_close(output(shifted, QKV), output(unshifted, QKV))


@torch.no_grad()
@pytest.mark.parametrize(
    ("scheme", "simpler"), [("urpe", "toeplitz_bias"), ("cope", "causal_none"), ("erpe", "none")]
)
def test_a_scheme_starts_as_a_simpler_one(scheme: str, simpler: str) -> None:
    first, second = (output(make_encoding(name).double(), QKV) for name in (scheme, simpler))
    assert_close(first, second)


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "settings"), [case for case in CASES if case[0] in OF_PLACES])
def test_relabelled_tokens_give_relabelled_outputs(scheme: str, settings: Settings) -> None:
    """Nothing depends on the order in which tokens are listed, in space or on graphs."""
    host, order = make_host(), np.random.default_rng(3).permutation(16)
    p = host.positions
    assert p.coordinates is not None and p.adjacency is not None
    relabelled = Positions(16, p.coordinates[order], p.adjacency[np.ix_(order, order)])
    first, second = (
        randomise(make_encoding(scheme, settings, replace(host, positions=positions))).double()
        for positions in (p, relabelled)
    )
    q, k, v, x = (part[..., order, :] for part in QKV)
    assert_close(output(second, (q, k, v, x)), output(first, QKV)[..., order, :])


@torch.no_grad()
@pytest.mark.parametrize("scheme", ["rope_nd", "cpb", "fire", "rope_mixed", "liere"])
def test_a_shift_in_space_changes_nothing_and_a_rotation_only_what_is_no_distance(scheme: str) -> None:
    host = make_host()
    assert host.positions.coordinates is not None
    at, turn = host.positions.coordinates, np.array([[0, -1], [1, 0]])
    settings = {"size": 3} if scheme == "liere" else {}
    plain, shifted, turned = (
        output(
            randomise(make_encoding(scheme, settings, replace(host, positions=Positions(16, x)))).double(),
            QKV,
        )
        for x in (at, at + np.array([70.0, -3.0]), at @ turn)
    )
    assert_close(shifted, plain)
    assert torch.allclose(turned, plain, atol=1e-9) == (scheme == "fire")


@every_case
def test_gradients_are_those_of_differences(scheme: str, settings: Settings) -> None:
    host = make_host(n=4, heads=2, head_width=4, numbers=range(1))
    encoding = randomise(make_encoding(scheme, settings, host)).double()
    variables = [part.requires_grad_() for part in inputs(host, replicas=1, batch=1)]

    def attention(q: Tensor, k: Tensor, v: Tensor, x: Tensor, *_: Tensor) -> Tensor:
        return output(encoding, (q, k, v, x), rows=slice(1, None))

    assert gradcheck(attention, (*variables, *encoding.parameters()))


@torch.no_grad()
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@every_case
def test_replicas_are_the_same_alone_and_in_a_part_of_the_stack(
    scheme: str, settings: Settings, architecture: Architecture
) -> None:
    if scheme in OF_PLACES and architecture.markers != "none":
        architecture = replace(architecture, markers="none")
    configuration = Configuration("pe", scheme, settings, architecture)
    model, alone = (
        assemble(puzzles(), configuration, Model(16, 2, 2, 2), Replicates(0, "grid", numbers)).double()
        for numbers in (range(3), range(2, 3))
    )
    codes = torch.randint(0, 6, (3, 4, 16))
    assert_close(alone(codes[2:]), model(codes)[2:])
    randomise(model.encoding)
    whole = model(codes)
    assert whole.isfinite().all()
    assert_close(forward_replicas(model, codes[1:], None, slice(1, 3)), whole[1:])


@torch.no_grad()
@every_case
def test_bf16_products_change_little(scheme: str, settings: Settings) -> None:
    """Not even positions counted to 100, in steps that bf16 would round away."""
    host = make_host(n=100)
    encoding = randomise(make_encoding(scheme, settings, host))
    q, k, v, x = (part.float() for part in inputs(host))
    exact = output(encoding, (q, k, v, x))
    with torch.autocast("cpu", torch.bfloat16):
        coarse = output(encoding, (q, k, v, x))
    assert (coarse - exact).square().mean() < 0.015**2 * exact.square().mean()
