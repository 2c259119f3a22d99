"""Schemes inside attention in whole models: every kind of block, markers, parts of the stack, precision."""

import pytest
import torch
from relative import CASES, Settings, inputs, make_encoding, make_shape, output, randomise

from stages.parameters.params import Architecture, Configuration
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.tasks.grid.task import Grid
from stages.training.assemble import assemble
from stages.training.forward import forward_replicas

NOTHING = {"train": torch.zeros(1, 16, dtype=torch.long)}
TASK = Grid(NOTHING, {"train": torch.zeros(1, dtype=torch.long)}, 4)
ARCHITECTURES = [
    Architecture(markers="cls_sep"),
    Architecture(normaliser="l2"),
    Architecture(block="gau"),
    Architecture(block="gau", normaliser="exp_mean", markers="cls"),
]


@torch.no_grad()
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(("scheme", "settings"), CASES)
def test_a_part_of_the_stack_gives_its_own_outputs(
    scheme: str, settings: Settings, architecture: Architecture
) -> None:
    if scheme == "rope_nd" and architecture.markers != "none":
        architecture = Architecture(block=architecture.block, normaliser=architecture.normaliser)
    configuration = Configuration("pe", scheme, settings, architecture)
    model = assemble(TASK, configuration, Model(16, 2, 2, 2), Replicates(0, "grid", range(3))).double()
    randomise(model.encoding)
    puzzles = torch.randint(0, 6, (3, 4, 16))
    whole, part = model(puzzles), forward_replicas(model, puzzles[1:], slice(1, 3))
    assert whole.isfinite().all()
    torch.testing.assert_close(part, whole[1:], rtol=1e-10, atol=1e-12)


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "settings"), CASES)
def test_bf16_products_change_little(scheme: str, settings: Settings) -> None:
    """Not even positions counted to 100, in steps that bf16 would round away."""
    shape = make_shape(n=100)
    encoding = randomise(make_encoding(scheme, settings, shape))
    q, k, v = (part.float() for part in inputs(shape))
    exact = output(encoding, (q, k, v))
    with torch.autocast("cpu", torch.bfloat16):
        coarse = output(encoding, (q, k, v))
    assert (coarse - exact).square().mean() < 0.015**2 * exact.square().mean()
