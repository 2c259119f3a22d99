"""Optimisers over flat vectors of a stack's parameters: one fused kernel each for any number of layers."""

from typing import Any

import torch
from torch import Tensor, nn, split

from stages.core.model.transformer import Transformer
from stages.core.settings.kinds import Algorithm
from stages.core.settings.sizes import Training


def optimiser_for(model: Transformer, training: Training) -> "Flat":
    """Create the optimiser of a training configuration; the encoding is a group of its own."""
    encoding = list(model.encoding.parameters())
    rest = [parameter for parameter in model.parameters() if parameter not in set(encoding)]
    rate, decay = training.learning_rate, training.weight_decay
    table_rate = rate if training.table_learning_rate is None else training.table_learning_rate
    table_decay = decay if training.table_weight_decay is None else training.table_weight_decay
    usual = {"params": rest, "lr": rate, "weight_decay": decay}
    tables = {"params": encoding, "lr": table_rate, "weight_decay": table_decay}
    return Flat(training.optimiser, usual, tables, momentum=training.momentum)


class Flat:
    """AdamW, Adam or SGD of torch.optim on one vector per group: params, lr, weight_decay.

    Momentum is SGD's alone. The group's parameters and gradients become views of the vector. Updates are
    element-wise, so replicas stay independent. Weight decay is decoupled in AdamW (Loshchilov & Hutter 2019,
    arXiv 1711.05101) and part of the gradient in the others.
    """

    def __init__(self, algorithm: Algorithm, *groups: dict[str, Any], momentum: float = 0.9) -> None:
        self.vectors: list[nn.Parameter] = []
        options = []
        for group in groups:
            if trained := [parameter for parameter in group["params"] if parameter.requires_grad]:
                self.vectors.append(flatten(trained))
                options.append({**group, "params": self.vectors[-1:]})
        match algorithm:
            case "adamw":
                self.optimiser: torch.optim.Optimizer = torch.optim.AdamW(options, fused=True)
            case "adam":
                self.optimiser = torch.optim.Adam(options, fused=True)
            case "sgd":
                self.optimiser = torch.optim.SGD(options, momentum=momentum, fused=True)
        names = ["exp_avg", "exp_avg_sq"] if algorithm != "sgd" else ["momentum_buffer"] if momentum else []
        for vector in self.vectors:
            # as torch creates it at the first step; a checkpoint can be loaded into it before
            self.optimiser.state[vector] = {name: torch.zeros_like(vector) for name in names}
            if algorithm != "sgd":
                self.optimiser.state[vector]["step"] = torch.zeros((), device=vector.device)

    def state(self) -> dict[str, Tensor]:
        """Return all tensors needed to continue a run, by reference."""
        states = [{"values": vector.detach(), **self.optimiser.state[vector]} for vector in self.vectors]
        return {f"{name}.{i}": value for i, state in enumerate(states) for name, value in state.items()}

    def step(self) -> None:
        """Update once from the gradients, then set them to zero."""
        self.optimiser.step()
        self.zero_gradients()

    def zero_gradients(self) -> None:
        for vector in self.vectors:
            assert vector.grad is not None
            vector.grad.zero_()


def flatten(parameters: list[nn.Parameter]) -> nn.Parameter:
    """Copy parameters into one vector with a gradient, and make them and their gradients views of it."""
    values = nn.Parameter(torch.cat([parameter.detach().flatten() for parameter in parameters]))
    values.grad = torch.zeros_like(values)
    sizes = [parameter.numel() for parameter in parameters]
    for parameter, value, gradient in zip(
        parameters, split(values.detach(), sizes), split(values.grad, sizes), strict=True
    ):
        parameter.data = value.view_as(parameter)
        parameter.grad = gradient.view_as(parameter)
    return values
