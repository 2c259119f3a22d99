"""Optimisers over the parameters of a stack as flat vectors: one fused kernel each, however many layers."""

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
    """Parameters with a learning rate and a weight decay of their own."""

    parameters: Iterable[nn.Parameter]
    learning_rate: float
    weight_decay: float


def of_training(model: Transformer, training: Training) -> "Flat":
    """The optimiser that training asks for: the encoding apart from all the rest."""
    encoding = set(model.encoding.parameters())
    rest = [parameter for parameter in model.parameters() if parameter not in encoding]
    rate, decay = training.learning_rate, training.weight_decay
    own_rate = rate if training.table_learning_rate is None else training.table_learning_rate
    own_decay = decay if training.table_weight_decay is None else training.table_weight_decay
    own = Group(model.encoding.parameters(), own_rate, own_decay)
    return Flat(training.optimiser, Group(rest, rate, decay), own)


class Flat:
    """torch.optim's own AdamW, Adam or SGD with momentum, on groups whose members it makes views of a vector.

    Gradients become views too. The update is element-wise, so that replicas stay apart. Weight decay is
    decoupled in AdamW (Loshchilov & Hutter 2019, arXiv 1711.05101), part of the gradient in the others.
    """

    def __init__(self, algorithm: Algorithm, *groups: Group) -> None:
        self.vectors: list[nn.Parameter] = []
        options = []
        for group in groups:
            if trained := [parameter for parameter in group.parameters if parameter.requires_grad]:
                self.vectors.append(flattened(trained))
                own = {"lr": group.learning_rate, "weight_decay": group.weight_decay}
                options.append({"params": [self.vectors[-1]], **own})
        match algorithm:
            case "adamw":
                self.optimiser: torch.optim.Optimizer = torch.optim.AdamW(options, fused=True)
            case "adam":
                self.optimiser = torch.optim.Adam(options, fused=True)
            case "sgd":
                self.optimiser = torch.optim.SGD(options, momentum=MOMENTUM, fused=True)
        names = ["momentum_buffer"] if algorithm == "sgd" else ["exp_avg", "exp_avg_sq"]
        for vector in self.vectors:
            # as torch makes it at the first step, so that a checkpoint can be read into it before
            self.optimiser.state[vector] = {name: torch.zeros_like(vector) for name in names}
            if algorithm != "sgd":
                self.optimiser.state[vector]["step"] = torch.zeros((), device=vector.device)

    def state(self) -> dict[str, Tensor]:
        """The tensors that a run goes on from, by reference."""
        everything = [{"values": vector.detach(), **self.optimiser.state[vector]} for vector in self.vectors]
        return {
            f"{name}.{index}": value for index, own in enumerate(everything) for name, value in own.items()
        }

    def step(self) -> None:
        """One update from the gradients, which are zero afterwards."""
        self.optimiser.step()
        self.forget()

    def forget(self) -> None:
        """Set the gradients to zero."""
        for vector in self.vectors:
            assert vector.grad is not None
            vector.grad.zero_()


def flattened(parameters: list[nn.Parameter]) -> nn.Parameter:
    """Their values as one vector with a gradient; the parameters and their gradients become views of it."""
    values = nn.Parameter(torch.cat([parameter.detach().flatten() for parameter in parameters]))
    values.grad = torch.zeros_like(values)
    sizes = [parameter.numel() for parameter in parameters]
    for parameter, value, gradient in zip(
        parameters, split(values.detach(), sizes), split(values.grad, sizes), strict=True
    ):
        parameter.data = value.view_as(parameter)
        parameter.grad = gradient.view_as(parameter)
    return values
