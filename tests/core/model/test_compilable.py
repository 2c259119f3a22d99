"""The forms for the compiler compute what torch's own compute, in both passes."""

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from stages.core.model import compilable

ROWS = 2 * compilable.PART  # in two parts


def drawn(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(shape).to(dtype).requires_grad_()


def both_passes(output: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
    """Return the output and the inputs' gradients of a weighted sum of it."""
    torch.manual_seed(1)
    weights = torch.randn(output.shape).to(output.dtype)
    return output.detach(), *torch.autograd.grad(output, inputs, weights)


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


@pytest.mark.parametrize("rows", [7, compilable.FEW, ROWS])
def test_linear_is_torch_s(rows: int) -> None:
    x, weight, bias = drawn(2, rows, 5), drawn(2, 5, 3), drawn(2, 1, 3)
    expected = both_passes(torch.baddbmm(bias, x, weight), x, weight, bias)
    assert_close(
        both_passes(compilable.linear(x, weight, bias), x, weight, bias), expected, rtol=1e-5, atol=1e-4
    )


def test_linear_in_bfloat16_rounds_operands_and_results_alone() -> None:
    x, weight = drawn(2, ROWS, 5, dtype=torch.bfloat16), drawn(2, 5, 3, dtype=torch.bfloat16)
    bias = drawn(2, 1, 3)
    wide = [each.detach().double().requires_grad_() for each in (x, weight, bias)]
    expected = both_passes(torch.baddbmm(wide[2], wide[0], wide[1]), *wide)
    for found, exact in zip(
        both_passes(compilable.linear(x, weight, bias), x, weight, bias), expected, strict=True
    ):
        assert_close(found.double(), exact, rtol=2**-7, atol=0.02 * exact.abs().max().item())


def test_linear_takes_autocast_s_format() -> None:
    with torch.autocast("cpu", torch.bfloat16):
        assert compilable.linear(drawn(1, 4, 5), drawn(1, 5, 3), drawn(1, 1, 3)).dtype == torch.bfloat16


def test_scale_and_shift_are_torch_s() -> None:
    x, scale, offset = drawn(2, ROWS, 5), drawn(2, 1, 5), drawn(2, 1, 5)
    expected = both_passes(torch.addcmul(offset, x, scale), x, scale, offset)
    found = both_passes(compilable.scale_and_shift(x, scale, offset), x, scale, offset)
    assert_close(found, expected, rtol=1e-5, atol=1e-4)


def test_gelu_is_torch_s_at_every_size_of_its_argument() -> None:
    x = torch.linspace(-12, 12, 10001).requires_grad_()
    expected = both_passes(torch.nn.functional.gelu(x.double()), x)
    value, slope = both_passes(compilable.gelu(x), x)
    assert_close(value.double(), expected[0], rtol=0, atol=1e-6)
    assert_close(slope.double(), expected[1].double(), rtol=0, atol=3e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_softmax_is_torch_s_also_where_tokens_are_masked(dtype: torch.dtype) -> None:
    logits = (8 * torch.randn(2, 3, 7)).to(dtype)
    logits[..., 4:] = float("-inf")
    given, same = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    found, expected = (
        both_passes(compilable.softmax(given), given),
        both_passes(torch.softmax(same, -1), same),
    )
    rounding = 1e-6 if dtype == torch.float32 else 2**-7
    for one, other in zip(found, expected, strict=True):
        assert_close(one, other, rtol=rounding, atol=rounding)
