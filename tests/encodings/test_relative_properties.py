"""What must hold of schemes inside attention whatever their formula."""

import pytest
import torch
from relative import CASES, Settings, inputs, make_encoding, make_shape, output, randomise
from torch import Tensor
from torch.autograd import gradcheck

OF_INDICES = [case for case in CASES if case[0] != "rope_nd"]
every_case = pytest.mark.parametrize(("scheme", "settings"), CASES)
SHAPE = make_shape()
QKV = inputs(SHAPE)


def assert_close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-11, atol=1e-11)


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "settings"), OF_INDICES)
def test_a_shift_of_all_indices_changes_nothing(scheme: str, settings: Settings) -> None:
    shapes = make_shape(first=0), make_shape(first=-5)
    unshifted, shifted = (randomise(make_encoding(scheme, settings, shape)).double() for shape in shapes)
    assert_close(output(shifted, QKV), output(unshifted, QKV))


@torch.no_grad()
@every_case
def test_a_replica_is_the_same_alone(scheme: str, settings: Settings) -> None:
    stacked, alone = (
        make_encoding(scheme, settings, numbers=range(3)),
        make_encoding(scheme, settings, numbers=range(2, 3)),
    )
    q, k, v = (part.float() for part in inputs(SHAPE, replicas=3))
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
    first, second = (output(make_encoding(name, {}).double(), QKV) for name in (scheme, simpler))
    assert_close(first, second)


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "parameter"), [("shaw", "keys"), ("urpe", "bias"), ("t5_bias", "bias")])
def test_initial_values_have_the_stated_standard_deviation(scheme: str, parameter: str) -> None:
    values = dict(make_encoding(scheme, {"init_std": 0.5}, numbers=range(40)).named_parameters())[parameter]
    assert values.std().item() == pytest.approx(0.5, rel=0.05)


@every_case
def test_gradients_are_those_of_differences(scheme: str, settings: Settings) -> None:
    shape = make_shape(n=4, heads=2, head_width=4)
    encoding = randomise(make_encoding(scheme, settings, shape, numbers=range(1))).double()
    variables = [part.requires_grad_() for part in inputs(shape, replicas=1, batch=1)]

    def attention(q: Tensor, k: Tensor, v: Tensor, *_: Tensor) -> Tensor:
        return output(encoding, (q, k, v), rows=slice(1, None))

    assert gradcheck(attention, (*variables, *encoding.parameters()))
