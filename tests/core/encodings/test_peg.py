"""PEG against torch's own depthwise convolutions, and the tokens that it refuses."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hosts import make_encoding, make_host, randomise
from torch import Tensor
from torch.nn.functional import conv1d, conv2d, conv3d, pad

from stages.core.encodings.interface import DoesNotFit, Host
from stages.core.encodings.lookup.resolve import create
from stages.core.plain import Encoding
from stages.core.positions.positions import Matrix, Positions
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.errors import InputError

CONVOLUTIONS: list[Any] = [conv1d, conv2d, conv3d]


def host_at(points: Matrix, **other: Any) -> Host:
    n = len(points)
    positions = Positions(n, points, **other)
    return replace(make_host(), positions=positions, indices=tuple(range(n)))


def lattice(*sizes: int) -> Matrix:
    return np.indices(sizes, float).reshape(len(sizes), -1).T


def made(host: Host, kernel: int = 3, mask: Any = "none") -> Any:
    configuration = Configuration("pe", "peg", {"kernel": kernel}, Architecture(mask=mask))
    return randomise(create(configuration, host)).double()


def draw(n: int) -> Tensor:
    torch.manual_seed(0)
    return torch.randn(2, 3, n, 12, dtype=torch.float64)


def convolve(peg: Any, x: Tensor, sizes: tuple[int, ...], edge: int) -> Tensor:
    """Convolve tokens [R, B, n, d] that fill a lattice, each replica and column with its own weights."""
    outputs = []
    for tokens, weight, bias in zip(x, peg.weight, peg.bias, strict=True):
        grid = tokens.mT.reshape(len(tokens), 12, *sizes)
        taps = weight.movedim(-1, 0)[:, None]
        convolved = CONVOLUTIONS[len(sizes) - 1](grid, taps, bias, padding=edge, groups=12)
        outputs.append(convolved.flatten(2).mT)
    return torch.stack(outputs)


@torch.no_grad()
@pytest.mark.parametrize(
    ("sizes", "kernel"),
    [((7,), 3), ((7,), 5), ((1,), 3), ((2,), 7), ((4, 4), 3), ((3, 5), 5), ((1, 6), 3), ((2, 3, 4), 3)],
)
def test_it_is_a_depthwise_convolution_with_zeros_around(sizes: tuple[int, ...], kernel: int) -> None:
    points = lattice(*sizes) * np.arange(2.5, 2.5 + len(sizes)) - 60  # another step along each axis
    peg, x = made(host_at(points), kernel), draw(len(points))
    y = peg.condition(1, x)
    torch.testing.assert_close(y, x + convolve(peg, x, sizes, kernel // 2), rtol=1e-12, atol=1e-12)
    order = torch.randperm(len(points))
    shuffled = made(host_at(points[order.numpy()]), kernel)
    torch.testing.assert_close(shuffled.condition(1, x[:, :, order]), y[:, :, order], rtol=1e-12, atol=1e-12)


@torch.no_grad()
def test_a_place_without_a_token_counts_as_zero() -> None:
    points, left = lattice(3, 4), [0, 1, 2, 3, 4, 6, 7, 8, 9, 11]
    x = draw(len(left))
    whole = x.new_zeros(2, 3, 12, 12)
    whole[:, :, left] = x
    peg = made(host_at(points[left]))
    expected = x + convolve(peg, whole, (3, 4), 1)[:, :, left]
    torch.testing.assert_close(peg.condition(1, x), expected, rtol=1e-12, atol=1e-12)


@torch.no_grad()
def test_own_steps_stay_as_they_are() -> None:
    x, peg = draw(4), made(host_at(np.array([[0.0], [2.0], [4.0], [5.0]]), in_steps=True))
    alone = pad(x[:, :, :1], (0, 0, 0, 2))
    expected = (alone + convolve(peg, alone, (3,), 1))[:, :, 0]
    torch.testing.assert_close(peg.condition(1, x)[:, :, 0], expected, rtol=1e-12, atol=1e-12)


@torch.no_grad()
@pytest.mark.parametrize("kernel", [3, 5])
def test_under_a_causal_mask_it_looks_back_alone(kernel: int) -> None:
    x, half = draw(9), kernel // 2
    peg = made(host_at(lattice(9)), kernel, "causal")
    assert peg.weight.shape == (2, half + 1, 12)
    expected = x + convolve(peg, pad(x, (0, 0, half, 0)), (9 + half,), 0)
    torch.testing.assert_close(peg.condition(1, x), expected, rtol=1e-12, atol=1e-12)
    later = torch.cat([x[:, :, :5], -x[:, :, 5:]], 2)
    assert peg.condition(1, later)[:, :, :5].equal(peg.condition(1, x)[:, :, :5])
    for points in (lattice(3, 3), lattice(9)[::-1]):
        with pytest.raises(InputError, match="^peg: a causal mask given, expected tokens on a line in their"):
            made(host_at(points), kernel, "causal")


@pytest.mark.parametrize(
    "points",
    [
        np.random.default_rng(0).normal(size=(16, 3)),
        np.random.default_rng(0).choice(1000, size=(16, 3), replace=False).astype(float),  # whole mm
        np.array([[0.0], [1.0], [1.7]]) * 7,
        np.array([[0.0, 0.0], [0.0, 1.0], [0.0, 1.0]]),
    ],
)
def test_tokens_on_no_lattice_are_refused(points: Matrix) -> None:
    with pytest.raises(DoesNotFit, match="^peg needs tokens on a lattice, whole steps apart and one in each"):
        made(host_at(points))


@torch.no_grad()
def test_it_acts_once_before_the_second_block_or_the_only_one() -> None:
    host, x = make_host(), draw(16)
    for blocks, acts in ((1, [0]), (2, [1]), (3, [1])):
        peg = made(replace(host, blocks=blocks))
        assert [block for block in range(blocks) if peg.condition(block, x) is not x] == acts


def test_initial_values_are_those_of_torch() -> None:
    torch.manual_seed(0)
    peg, theirs = (
        make_encoding("peg", {"kernel": 5}, numbers=range(40)),
        torch.nn.Conv2d(480, 480, 5, groups=480),
    )
    assert theirs.bias is not None
    for name, values in {"weight": theirs.weight, "bias": theirs.bias}.items():
        own = peg.get_parameter(name)
        torch.testing.assert_close(own.std(), values.std(), rtol=0.05, atol=0)
        torch.testing.assert_close(own.abs().max(), values.abs().max(), rtol=0.02, atol=0)


@torch.no_grad()
def test_in_plain_pytorch_it_is_what_the_model_has() -> None:
    rows = lattice(3, 4)
    plain, x = Encoding("peg", width=12, heads=3, blocks=2, places=rows, seed=0).double(), draw(12)
    own = made(host_at(rows))
    plain.inner.load_state_dict({name: each[:1] for name, each in own.named_parameters()}, strict=False)
    torch.testing.assert_close(plain.condition(x[0], block=1), own.condition(1, x)[0])
    assert plain.condition(x[0]).equal(x[0])
    with pytest.raises(
        InputError, match=r"weight of shape \(1, 3, 3, 12\) given, expected 3 axes.*as many axes"
    ):
        plain.condition(x[0], 12, block=1)
    with pytest.raises(InputError, match=r"tokens \(2, 3, 12, 12\) given, expected \[B, n, 12\]"):
        plain.condition(x)
    drawn: Any = {"parts": [{"scheme": "peg"}, {"scheme": "random_fixed"}]}
    for places in (Positions(9, 17.5 * lattice(3, 3) - 60), 5):
        both = Encoding("combined", width=12, heads=3, places=places, **drawn)
        assert both.state_dict().keys() - {"seed"} == {
            *(f"inner.parts.0.{name}" for name in ("weight", "bias")),
            "inner.parts.1.tables",
        }
