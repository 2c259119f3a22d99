"""Number formats: what they change, and what they leave in float32."""

import pytest
import torch
from random_tasks import masked, puzzles
from small_models import build, train_50_steps
from torch import Tensor

from stages.parameters.kinds import Precision
from stages.tasks.interface import Task
from stages.training.forward import eager, forward_replicas


def losses(task: Task, precision: Precision, at_once: int) -> Tensor:
    model, replicates = build(task, range(3))
    return train_50_steps(eager(model, precision), task, replicates, 32, at_once)


@pytest.mark.parametrize("task", [masked(64), puzzles(64)])
@pytest.mark.parametrize("at_once", [3, 2])
def test_half_the_bits_give_the_same_losses_within_half_a_percent(task: Task, at_once: int) -> None:
    exact, rounded = losses(task, "fp32", at_once), losses(task, "bf16", at_once)
    assert exact.shape == (50, 3) and not torch.equal(exact, rounded)
    torch.testing.assert_close(rounded, exact, rtol=0.005, atol=0)  # measured: 0.0015 at most


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_outputs_and_gradients_are_float32(precision: Precision) -> None:
    task = puzzles(8)
    model, replicates = build(task, range(3))
    forward = eager(model, precision)
    batch = next(task.epoch(replicates, 1, 8))
    outputs = [forward.run_all(batch.inputs), forward.run_part(batch.inputs[1:], slice(1, 3))]
    assert [output.dtype for output in outputs] == [torch.float32] * 2
    torch.testing.assert_close(
        outputs[1], outputs[0][1:], rtol=1e-5, atol=1e-5 if precision == "fp32" else 0.01
    )
    outputs[0].sum().backward()  # type: ignore[no-untyped-call]
    assert all(p.grad is not None and p.grad.dtype == torch.float32 for p in forward.model.parameters())


@pytest.mark.parametrize("scheme", ["learned", "sinusoidal_1d", "none"])
def test_a_part_of_the_stack_gives_its_own_outputs_and_gradients(scheme: str) -> None:
    model = build(puzzles(8), range(3), scheme)[0].double()
    inputs = torch.randint(0, 6, (3, 4, 16))
    parameters = list(model.parameters())
    whole, part = model(inputs)[1:], forward_replicas(model, inputs[1:], slice(1, 3))
    torch.testing.assert_close(part, whole, rtol=1e-10, atol=1e-12)
    expected = torch.autograd.grad(whole.sum(), parameters)
    torch.testing.assert_close(torch.autograd.grad(part.sum(), parameters), expected, rtol=1e-9, atol=1e-12)
