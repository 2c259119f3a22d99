"""Outputs of the tokens that a loss asks for are those of the whole, and so are their gradients."""

from typing import Literal

import pytest
import torch
from random_tasks import masked
from small_models import SIZES

from stages.core.model.asked import ask, pick
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Architecture, Configuration
from stages.training.assemble import assemble

HIDDEN = (
    torch.tensor([[[0, 1, 1, 0, 0, 1], [1, 1, 0, 0, 1, 0]], [[1, 0, 0, 1, 1, 0], [0, 0, 0, 1, 1, 1]]]) > 0
)


def test_asked_tokens_are_taken_in_their_order() -> None:
    x = torch.arange(2 * 2 * 6 * 3.0).view(2, 2, 6, 3)
    assert torch.equal(ask(HIDDEN).take(x), x[HIDDEN].view(2, 2, 3, 3))
    assert torch.equal(ask(HIDDEN).of(slice(1, 2)).take(x[1:]), x[1:][HIDDEN[1:]].view(1, 2, 3, 3))
    assert torch.equal(pick(x, slice(1, 3)), x[:, :, 1:3])


def test_their_gradient_is_that_of_taking_rows() -> None:
    x = torch.randn(2, 2, 6, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(ask(HIDDEN).take, x)


@pytest.mark.parametrize("markers", ["none", "cls_sep"])
@pytest.mark.parametrize("block", ["post_norm", "gau"])
@pytest.mark.parametrize("scheme", ["learned", "none", "rope", "t5_bias", "causal_none", "shaw"])
def test_a_model_asked_for_some_gives_what_it_gives_for_all(
    scheme: str, block: Literal["post_norm", "gau"], markers: Literal["none", "cls_sep"]
) -> None:
    configuration = Configuration("pe", scheme, {}, Architecture(block=block, markers=markers))
    model = assemble(masked(), configuration, SIZES, Replicates(0, "test", range(2))).double()
    x = torch.randn(2, 2, 6, 2, dtype=torch.float64)
    asked = ask(HIDDEN)
    whole, part = model(x)[HIDDEN].view(2, 2, 3, 1), model(x, asked)
    torch.testing.assert_close(part, whole, rtol=1e-12, atol=1e-12)
    trained = list(model.parameters())
    found, expected = (
        torch.autograd.grad((outputs**2).sum(), trained, allow_unused=True) for outputs in (part, whole)
    )
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-12)
