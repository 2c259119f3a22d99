"""Gradients of attention under every scheme against differences, in all inputs and parameters."""

import pytest
import torch
from relative import CASES, Settings, inputs, make_encoding, make_shape, output, randomise
from torch import Tensor
from torch.autograd import gradcheck

LEARNED = [case for case in CASES if list(make_encoding(*case).parameters())]


@pytest.mark.parametrize(("scheme", "settings"), CASES)
def test_gradients_are_those_of_differences(scheme: str, settings: Settings) -> None:
    shape = make_shape(n=4, heads=2, head_width=4)
    encoding = randomise(make_encoding(scheme, settings, shape, numbers=range(1))).double()
    variables = [part.requires_grad_() for part in inputs(shape, replicas=1, batch=1)]

    def attention(q: Tensor, k: Tensor, v: Tensor, *_: Tensor) -> Tensor:
        return output(encoding, (q, k, v), rows=slice(1, None))

    assert gradcheck(attention, (*variables, *encoding.parameters()))


@pytest.mark.parametrize(("scheme", "settings"), LEARNED)
def test_every_parameter_of_the_block_has_a_gradient(scheme: str, settings: Settings) -> None:
    encoding = make_encoding(scheme, settings)
    q, k, v = inputs(make_shape())
    outputs = output(encoding, (q.float(), k.float(), v.float()))
    (outputs * torch.randn_like(outputs)).sum().backward()  # type: ignore[no-untyped-call]
    for parameter in encoding.parameters():
        assert parameter.grad is not None and parameter.grad.isfinite().all()
        assert (parameter.grad != 0).flatten(1).any(1).all()
