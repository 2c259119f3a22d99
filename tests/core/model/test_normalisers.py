"""Every normaliser against the sum it stands for."""

import math

import pytest
import torch
from torch import Tensor

from stages.core.model import normalisers

INFINITE = -math.inf


def logits(*size: int) -> Tensor:
    return 3 * torch.randn(*size, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def naive(name: str, row: list[float]) -> list[float]:
    """Compute a row's weights, one logit at a time."""
    match name:
        case "softmax":
            return [math.exp(b) / sum(math.exp(other) for other in row) for b in row]
        case "l2":
            return [math.exp(b) / math.sqrt(sum(math.exp(other) ** 2 for other in row)) for b in row]
        case "l2_signed":
            seen = [0 if b == INFINITE else b for b in row]
            return [b / math.sqrt(sum(other**2 for other in seen)) for b in seen]
        case "exp_mean":
            return [math.exp(b) / len(row) for b in row]
        case _:
            return [(b * b if b > 0 else 0) / len(row) for b in row]


NAMES = ("softmax", "l2", "l2_signed", "exp_mean", "relu2_mean")


@pytest.mark.parametrize("name", NAMES)
def test_weights_are_the_formula_s(name: str) -> None:
    rows = logits(4, 5)
    rows[1, 2:] = INFINITE
    expected = torch.tensor([naive(name, row) for row in rows.tolist()], dtype=torch.float64)
    torch.testing.assert_close(getattr(normalisers, name)(rows), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_a_hidden_key_weighs_nothing_and_gets_no_gradient(name: str) -> None:
    rows = logits(2, 3, 5)
    rows[..., 3:] = INFINITE
    rows.requires_grad_()
    weights = getattr(normalisers, name)(rows)
    assert not weights[..., 3:].any()
    weights[..., 0].sum().backward()
    assert rows.grad is not None
    assert rows.grad.isfinite().all() and not rows.grad[..., 3:].any()


@pytest.mark.parametrize("name", NAMES)
def test_large_logits_leave_weights_and_gradients_finite(name: str) -> None:
    rows = torch.tensor([[-1e4, 0.0, 300.0, 1e4]], requires_grad=True)
    weights = getattr(normalisers, name)(rows)
    weights.sum().backward()
    assert rows.grad is not None
    assert weights.isfinite().all() and rows.grad.isfinite().all()


def test_exp_mean_stops_growing_at_its_limit() -> None:
    weights = normalisers.exp_mean(torch.tensor([19.0, 20.0, 21.0, 1e9], dtype=torch.float64))
    expected = torch.tensor([19.0, 20.0, 20.0, 20.0], dtype=torch.float64).exp() / 4
    torch.testing.assert_close(weights, expected)


def test_only_l2_starts_smaller_by_the_length_of_its_rows() -> None:
    assert [normalisers.initial_gain(name, 81) for name in NAMES] == [1, pytest.approx(1 / 3), 1, 1, 1]
    # two factors take back that equal logits give rows that sum to sqrt(n)
    total = normalisers.l2(torch.zeros(81)).sum().item()
    assert total * normalisers.initial_gain("l2", 81) ** 2 == pytest.approx(1, rel=1e-6)
