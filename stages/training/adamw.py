"""AdamW over all parameters of a stack as one flat vector: a handful of kernels, however many layers."""

import torch
from torch import Tensor, nn, split

BETAS, EPSILON = (0.9, 0.999), 1e-8


class FlatAdamW:
    """Adam with decoupled weight decay (Loshchilov & Hutter 2019, arXiv 1711.05101), torch.optim's defaults.

    The module's parameters and their gradients become views of two flat vectors. Every operation is
    element-wise, so that replicas stay apart; the step count lives on the device, so that a step can be
    captured and replayed.
    """

    def __init__(self, module: nn.Module, learning_rate: float, weight_decay: float) -> None:
        parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
        self.learning_rate, self.weight_decay = learning_rate, weight_decay
        self.values = torch.cat([parameter.detach().flatten() for parameter in parameters])
        self.gradients = torch.zeros_like(self.values)
        self.mean, self.square = torch.zeros_like(self.values), torch.zeros_like(self.values)
        self.steps = torch.zeros((), dtype=torch.float64, device=self.values.device)
        sizes = [parameter.numel() for parameter in parameters]
        for parameter, value, gradient in zip(
            parameters, split(self.values, sizes), split(self.gradients, sizes), strict=True
        ):
            parameter.data = value.view_as(parameter)
            parameter.grad = gradient.view_as(parameter)

    def state(self) -> dict[str, Tensor]:
        """The tensors that a run goes on from, by reference."""
        return {"values": self.values, "mean": self.mean, "square": self.square, "steps": self.steps}

    @torch.no_grad()
    def step(self) -> None:
        """One update from the gradients, which are zero afterwards."""
        first, second = BETAS
        self.steps += 1
        self.mean.lerp_(self.gradients, 1 - first)
        self.square.mul_(second).addcmul_(self.gradients, self.gradients, value=1 - second)
        scale = self.learning_rate / (1 - first**self.steps)
        root = (self.square / (1 - second**self.steps)).sqrt_().add_(EPSILON)
        if self.weight_decay:
            self.values.mul_(1 - self.learning_rate * self.weight_decay)
        self.values.sub_(self.mean / root * scale)
        self.gradients.zero_()
