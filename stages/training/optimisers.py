"""Optimisers over flat vectors of a stack's parameters: one fused kernel each for any number of layers."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn, split

from stages.model.transformer import Transformer
from stages.parameters.kinds import Algorithm
from stages.parameters.scales import Training

MOMENTUM = 0.9  # of sgd


@dataclass(frozen=True)
class Group:
    """Parameters that share a learning rate and a weight decay."""

    parameters: Iterable[nn.Parameter]
    learning_rate: float
    weight_decay: float


def optimiser_for(model: Transformer, training: Training) -> "Flat":
    """Create the optimiser of a training configuration; the encoding is a group of its own."""
    encoding = set(model.encoding.parameters())
    rest = [parameter for parameter in model.parameters() if parameter not in encoding]
    rate, decay = training.learning_rate, training.weight_decay
    table_rate = rate if training.table_learning_rate is None else training.table_learning_rate
    table_decay = decay if training.table_weight_decay is None else training.table_weight_decay
    tables = Group(model.encoding.parameters(), table_rate, table_decay)
    return Flat(training.optimiser, Group(rest, rate, decay), tables)


class Flat:
    """AdamW, Adam or SGD with momentum of torch.optim on one vector per group.

    The group's parameters and gradients become views of the vector. Updates are element-wise, so replicas
    stay independent. Weight decay is decoupled in AdamW (Loshchilov & Hutter 2019, arXiv 1711.05101) and part
    of the gradient in the others.
    """

    def __init__(self, algorithm: Algorithm, *groups: Group) -> None:
        self.vectors: list[nn.Parameter] = []
        options = []
        for group in groups:
            if trained := [parameter for parameter in group.parameters if parameter.requires_grad]:
                vector = flatten(trained)
                self.vectors.append(vector)
                options.append(
                    {"params": [vector], "lr": group.learning_rate, "weight_decay": group.weight_decay}
                )
        match algorithm:
            case "adamw":
                self.optimiser: torch.optim.Optimizer = torch.optim.AdamW(options, fused=True)
            case "adam":
                self.optimiser = torch.optim.Adam(options, fused=True)
            case "sgd":
                self.optimiser = torch.optim.SGD(options, momentum=MOMENTUM, fused=True)
        names = ["momentum_buffer"] if algorithm == "sgd" else ["exp_avg", "exp_avg_sq"]
        for vector in self.vectors:
            # as torch creates it at the first step; a checkpoint can be loaded into it before
            self.optimiser.state[vector] = {name: torch.zeros_like(vector) for name in names}
            if algorithm != "sgd":
                self.optimiser.state[vector]["step"] = torch.zeros((), device=vector.device)

    def state(self) -> dict[str, Tensor]:
        """All tensors needed to continue a run, by reference."""
        states = [{"values": vector.detach(), **self.optimiser.state[vector]} for vector in self.vectors]
        return {
            f"{name}.{index}": value for index, state in enumerate(states) for name, value in state.items()
        }

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
