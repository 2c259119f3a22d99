"""What must hold of schemes inside attention whatever their formula, alone and in models of every kind."""

from dataclasses import replace

import pytest
import torch
from hosts import CASES, Settings, inputs, make_encoding, make_host, output, randomise
from random_tasks import puzzles
from torch import Tensor
from torch.autograd import gradcheck

from stages.parameters.params import Architecture, Configuration
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.training.assemble import assemble
from stages.training.forward import forward_replicas

OF_INDICES = [case for case in CASES if case[0] != "rope_nd"]
every_case = pytest.mark.parametrize(("scheme", "settings"), CASES)
QKV = inputs(make_host())
ARCHITECTURES = [
    Architecture(markers="cls_sep"),
    Architecture(normaliser="l2"),
    Architecture(block="gau"),
    Architecture(block="gau", normaliser="exp_mean", markers="cls"),
]


def assert_close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-11, atol=1e-11)


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "settings"), OF_INDICES)
def test_a_shift_of_all_indices_changes_nothing(scheme: str, settings: Settings) -> None:
    unshifted, shifted = (
        randomise(make_encoding(scheme, settings, first=first)).double() for first in (0, -5)
    )
    assert_close(output(shifted, QKV), output(unshifted, QKV))


@torch.no_grad()
@every_case
def test_a_replica_is_the_same_alone(scheme: str, settings: Settings) -> None:
    stacked, alone = (
        make_encoding(scheme, settings, numbers=range(3)),
        make_encoding(scheme, settings, numbers=range(2, 3)),
    )
    q, k, v = (part.float() for part in inputs(make_host(), replicas=3))
    expected = output(alone, (q[2:], k[2:], v[2:]))
    torch.testing.assert_close(output(stacked, (q, k, v))[2:], expected, rtol=1e-5, atol=1e-6)


@every_case
def test_replicas_have_parameters_of_their_own_and_share_buffers(scheme: str, settings: Settings) -> None:
    encoding = make_encoding(scheme, settings, numbers=range(3))
    assert all(len(parameter) == 3 for parameter in encoding.parameters())
    assert all(len(buffer) == 1 for buffer in encoding.buffers())


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "simpler"), [("urpe", "toeplitz_bias"), ("cope", "causal_none")])
def test_a_scheme_starts_as_a_simpler_one(scheme: str, simpler: str) -> None:
    first, second = (output(make_encoding(name).double(), QKV) for name in (scheme, simpler))
    assert_close(first, second)


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "parameter"), [("shaw", "keys"), ("urpe", "bias"), ("t5_bias", "bias")])
def test_initial_values_have_the_stated_standard_deviation(scheme: str, parameter: str) -> None:
    values = dict(make_encoding(scheme, {"init_std": 0.5}, numbers=range(40)).named_parameters())[parameter]
    assert values.std().item() == pytest.approx(0.5, rel=0.05)


@every_case
def test_gradients_are_those_of_differences(scheme: str, settings: Settings) -> None:
    host = make_host(n=4, heads=2, head_width=4, numbers=range(1))
    encoding = randomise(make_encoding(scheme, settings, host)).double()
    variables = [part.requires_grad_() for part in inputs(host, replicas=1, batch=1)]

    def attention(q: Tensor, k: Tensor, v: Tensor, *_: Tensor) -> Tensor:
        return output(encoding, (q, k, v), rows=slice(1, None))

    assert gradcheck(attention, (*variables, *encoding.parameters()))


@torch.no_grad()
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@every_case
def test_a_part_of_the_stack_gives_its_own_outputs(
    scheme: str, settings: Settings, architecture: Architecture
) -> None:
    if scheme == "rope_nd" and architecture.markers != "none":
        architecture = replace(architecture, markers="none")
    configuration = Configuration("pe", scheme, settings, architecture)
    model = assemble(puzzles(), configuration, Model(16, 2, 2, 2), Replicates(0, "grid", range(3))).double()
    randomise(model.encoding)
    codes = torch.randint(0, 6, (3, 4, 16))
    whole, part = model(codes), forward_replicas(model, codes[1:], slice(1, 3))
    assert whole.isfinite().all()
    torch.testing.assert_close(part, whole[1:], rtol=1e-10, atol=1e-12)


@torch.no_grad()
@every_case
def test_bf16_products_change_little(scheme: str, settings: Settings) -> None:
    """Not even positions counted to 100, in steps that bf16 would round away."""
    host = make_host(n=100)
    encoding = randomise(make_encoding(scheme, settings, host))
    q, k, v = (part.float() for part in inputs(host))
    exact = output(encoding, (q, k, v))
    with torch.autocast("cpu", torch.bfloat16):
        coarse = output(encoding, (q, k, v))
    assert (coarse - exact).square().mean() < 0.015**2 * exact.square().mean()
