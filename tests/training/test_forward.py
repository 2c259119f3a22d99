"""Number formats: what they change, and what they leave in float32."""

import pytest
import torch
from random_tasks import masked, puzzles
from torch import Tensor

from stages.parameters.kinds import Precision
from stages.parameters.params import Configuration
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.tasks.interface import Task
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import Forward, eager
from stages.training.optimisers import Flat, Group

REPLICATES = Replicates(0, "test", range(3))


def made(task: Task, precision: Precision) -> Forward:
    sizes = Model(width=16, blocks=2, heads=2, expansion=2)
    return eager(assemble(task, Configuration("pe", "learned", {}), sizes, REPLICATES), precision)


def losses(task: Task, precision: Precision, at_once: int) -> Tensor:
    """Of 50 steps, [50, R]."""
    forward = made(task, precision)
    optimiser = Flat("adamw", Group(forward.model.parameters(), 0.001, 0))
    batches = [batch for epoch in range(1, 26) for batch in task.epoch(REPLICATES, epoch, 32)]
    return torch.stack([step(forward, task, batch, optimiser, at_once) for batch in batches])


@pytest.mark.parametrize("task", [masked(64), puzzles(64)])
@pytest.mark.parametrize("at_once", [3, 2])
def test_half_the_bits_give_the_same_losses_within_half_a_percent(task: Task, at_once: int) -> None:
    exact, rounded = losses(task, "fp32", at_once), losses(task, "bf16", at_once)
    assert exact.shape == (50, 3) and not torch.equal(exact, rounded)
    torch.testing.assert_close(rounded, exact, rtol=0.005, atol=0)  # measured: 0.0015 at most


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_outputs_and_gradients_are_float32(precision: Precision) -> None:
    task = puzzles(8)
    forward = made(task, precision)
    batch = next(task.epoch(REPLICATES, 1, 8))
    outputs = [forward.run_all(batch.inputs), forward.run_part(batch.inputs[1:], slice(1, 3))]
    assert [output.dtype for output in outputs] == [torch.float32] * 2
    torch.testing.assert_close(
        outputs[1], outputs[0][1:], rtol=1e-5, atol=1e-5 if precision == "fp32" else 0.01
    )
    outputs[0].sum().backward()  # type: ignore[no-untyped-call]
    assert all(p.grad is not None and p.grad.dtype == torch.float32 for p in forward.model.parameters())
