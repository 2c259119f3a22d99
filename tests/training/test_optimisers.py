import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from random_tasks import puzzles
from small_models import build
from torch import nn

from stages.core.settings.kinds import Algorithm
from stages.core.settings.sizes import Training
from stages.training.optimisers import Flat, optimiser_for

THEIRS: dict[str, Callable[[Any, float], torch.optim.Optimizer]] = {
    "adamw": lambda groups, _: torch.optim.AdamW(groups),
    "adam": lambda groups, _: torch.optim.Adam(groups),
    "sgd": lambda groups, momentum: torch.optim.SGD(groups, momentum=momentum),
}


def losses(model: nn.Module, scale: float) -> torch.Tensor:
    torch.manual_seed(1)
    return torch.as_tensor(scale * model(torch.randn(8, 5, dtype=torch.float64)).square().mean())


def groups(model: nn.Sequential, weight_decay: float) -> list[dict[str, Any]]:
    return [
        {"params": model[0].parameters(), "lr": 0.01, "weight_decay": weight_decay},
        {"params": model[2].parameters(), "lr": 0.001, "weight_decay": 0.0},
    ]


@pytest.mark.parametrize(
    ("algorithm", "momentum"), [("adamw", 0.9), ("adam", 0.9), ("sgd", 0.9), ("sgd", 0.0)]
)
@pytest.mark.parametrize("weight_decay", [0.0, 0.1])
def test_it_is_torch_s_own(algorithm: Algorithm, momentum: float, weight_decay: float) -> None:
    torch.manual_seed(0)
    ours = nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 2)).double()
    theirs = copy.deepcopy(ours)
    flat = Flat(algorithm, *groups(ours, weight_decay), momentum=momentum)
    reference = THEIRS[algorithm](groups(theirs, weight_decay), momentum)
    for step in range(20):
        losses(ours, 1 + step).backward()  # type: ignore[no-untyped-call]
        flat.step()
        reference.zero_grad()
        losses(theirs, 1 + step).backward()  # type: ignore[no-untyped-call]
        reference.step()
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-12, atol=1e-12)


def test_frozen_parameters_stay() -> None:
    model = nn.Linear(5, 2).double()
    model.bias.requires_grad_(False)
    before = model.bias.clone()
    flat = Flat("adamw", {"params": model.parameters(), "lr": 0.1, "weight_decay": 0.1})
    losses(model, 1).backward()  # type: ignore[no-untyped-call]
    flat.step()
    assert torch.equal(model.bias, before)


@pytest.mark.parametrize(
    ("own", "expected"),
    [({}, (0.01, 0.2)), ({"table_learning_rate": 0.5, "table_weight_decay": 0.0}, (0.5, 0.0))],
)
def test_an_encoding_has_the_usual_rate_and_decay_or_its_own(
    own: dict[str, Any], expected: tuple[float, float]
) -> None:
    model, _ = build(puzzles(8), [0])
    usual = Training(1, 1, 1, learning_rate=0.01, weight_decay=0.2, optimiser="sgd", momentum=0.3)
    made = optimiser_for(model, replace(usual, **own)).optimiser
    assert isinstance(made, torch.optim.SGD)
    sizes = [sum(values.numel() for values in part.parameters()) for part in (model, model.encoding)]
    rest, tables = ((g["lr"], g["weight_decay"], g["params"][0].numel()) for g in made.param_groups)
    assert rest == (0.01, 0.2, sizes[0] - sizes[1]) and tables == (*expected, sizes[1])
    assert all(group["momentum"] == 0.3 for group in made.param_groups)
