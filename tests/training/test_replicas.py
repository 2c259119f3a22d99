import pytest
import torch

from stages.parameters.params import Configuration
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.tasks.grid.task import Grid
from stages.training.assemble import assemble
from stages.training.forward import forward_replicas

NOTHING = {"train": torch.zeros(1, 16, dtype=torch.long)}
TASK = Grid(NOTHING, {"train": torch.zeros(1, dtype=torch.long)}, 4)


@pytest.mark.parametrize("scheme", ["learned", "sinusoidal_1d", "none"])
def test_a_part_of_the_stack_gives_its_own_outputs_and_gradients(scheme: str) -> None:
    model = assemble(
        TASK, Configuration("pe", scheme, {}), Model(16, 2, 1, 4), Replicates(0, "grid", range(3))
    ).double()
    inputs = torch.randint(0, 6, (3, 4, 16))
    whole, part = model(inputs), forward_replicas(model, inputs[1:], slice(1, 3))
    torch.testing.assert_close(part, whole[1:], rtol=1e-10, atol=1e-12)
    whole[1:].sum().backward()
    expected = [parameter.grad for parameter in model.parameters()]
    model.zero_grad()
    part.sum().backward()  # type: ignore[no-untyped-call]
    for parameter, gradient in zip(model.parameters(), expected, strict=True):
        torch.testing.assert_close(parameter.grad, gradient, rtol=1e-9, atol=1e-12)
