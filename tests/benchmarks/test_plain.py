"""Both sides of a measured speed compute the same: the plain loop, and this project's in every short cut.

Short cuts are the look-up of codes and a last block that computes only what is read. Others are keys without
a bias, all replicas stacked, no recomputation and one flat optimiser.
"""

import numpy as np
import pytest
import torch
from plain import Plain
from random_tasks import puzzles
from torch import Tensor, nn

from stages.core.model.transformer import Transformer
from stages.core.positions.positions import Positions
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.sizes import Model
from stages.tasks.bases.masked import MaskedRegression
from stages.tasks.grid.task import Grid
from stages.tasks.interface import Batch, Codes, Task
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import Forward
from stages.training.optimisers import Flat

SIZES = Model(width=32, blocks=3, heads=2, expansion=4)
REPLICATES = Replicates(0, "test", range(2))
STEPS, BATCH, LEARNING_RATE = 50, 32, 0.001


def frames() -> MaskedRegression:
    torch.manual_seed(0)
    activity = torch.randn(STEPS * BATCH, 3) @ torch.randn(3, 10)
    return MaskedRegression({"train": activity}, {}, 0.5, Positions(10), np.arange(STEPS * BATCH))


@torch.no_grad()
def plain_replica(model: Transformer, task: Task, k: int) -> Plain:
    """Return replica k of the stack as a plain model."""
    inputs = task.inputs.n - 1 if isinstance(task.inputs, Codes) else task.inputs.n
    plain = Plain(SIZES, task.positions.n_tokens, inputs, task.n_outputs, recompute=True)
    stacked = {name: value[k] for name, value in model.state_dict().items()}
    layers = {"embedding": "embedding.linear", "readout": "readout"}
    values = {}
    for i in range(SIZES.blocks):
        attention = f"blocks.{i}.attention"
        layers |= {f"{attention}.out_proj": f"{attention}.out"}
        layers |= {f"blocks.{i}.mlp.0": f"blocks.{i}.widen", f"blocks.{i}.mlp.2": f"blocks.{i}.narrow"}
        values[f"blocks.{i}.table"] = stacked["encoding.tables"][i]
        projections = [stacked[f"{attention}.query.weight"], stacked[f"{attention}.key_value"]]
        values[f"{attention}.in_proj_weight"] = torch.cat(projections, dim=1).T
    for name, layer in layers.items():
        values |= {
            f"{name}.weight": stacked[f"{layer}.weight"].T,
            f"{name}.bias": stacked[f"{layer}.bias"][0],
        }
    plain.load_state_dict(values, strict=False)  # others start as ones and zeros in both
    return plain


def plain_loss(model: Plain, task: Task, batch: Batch, k: int) -> Tensor:
    """Compute the loss as in the plain loop, on replica k's batch."""
    if isinstance(task, Grid):
        one_hot = nn.functional.one_hot(batch.inputs[k], 6)[..., 1:].float()
        return nn.functional.cross_entropy(model(one_hot)[:, -1], batch.targets[k])
    assert batch.counted is not None
    hidden = batch.inputs[k, ..., 1] > 0
    errors = (model(batch.inputs[k])[hidden].flatten() - batch.targets[k].flatten()) ** 2
    return torch.as_tensor(errors[batch.counted[k].flatten()].mean())


@pytest.mark.parametrize("task", [puzzles(STEPS * BATCH), frames()])
def test_fifty_steps_give_the_plain_loop_s_losses(task: Task) -> None:
    configuration = Configuration("pe", "learned", {"init_std": 0.5})
    model = assemble(task, configuration, SIZES, REPLICATES)
    plain = [plain_replica(model, task, k) for k in range(2)]
    theirs = [torch.optim.AdamW(one.parameters(), LEARNING_RATE, weight_decay=0) for one in plain]
    ours = Flat("adamw", {"params": model.parameters(), "lr": LEARNING_RATE, "weight_decay": 0})
    found, expected = [], []
    for batch in task.epoch(REPLICATES, 1, BATCH):
        found.append(step(Forward(model), task, batch, ours, 2))
        losses = [plain_loss(one, task, batch, k) for k, one in enumerate(plain)]
        for loss, optimiser in zip(losses, theirs, strict=True):
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        expected.append(torch.stack(losses).detach())
    assert len(found) == STEPS and (torch.stack(found)[-1] < torch.stack(found)[0]).all()
    torch.testing.assert_close(torch.stack(found), torch.stack(expected), rtol=1e-5, atol=0)  # measured: 2e-7
