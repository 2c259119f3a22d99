"""AdamW over all parameters of a stack as one flat vector: one fused kernel, however many layers."""

import torch
from torch import Tensor, nn, split


class FlatAdamW:
    """Adam with decoupled weight decay (Loshchilov & Hutter 2019, arXiv 1711.05101), torch.optim's own.

    The module's parameters and their gradients become views of two flat vectors. The update is element-wise,
    so that replicas stay apart.
    """

    def __init__(self, module: nn.Module, learning_rate: float, weight_decay: float) -> None:
        parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
        self.values = nn.Parameter(torch.cat([parameter.detach().flatten() for parameter in parameters]))
        self.values.grad = self.gradients = torch.zeros_like(self.values)
        self.optimiser = torch.optim.AdamW(
            [self.values], learning_rate, weight_decay=weight_decay, fused=True
        )
        # as torch makes it at the first step, so that a checkpoint can be read into it before
        self.optimiser.state[self.values] = {
            "step": torch.zeros((), dtype=torch.float32, device=self.values.device),
            "exp_avg": torch.zeros_like(self.values),
            "exp_avg_sq": torch.zeros_like(self.values),
        }
        sizes = [parameter.numel() for parameter in parameters]
        for parameter, value, gradient in zip(
            parameters, split(self.values.detach(), sizes), split(self.gradients, sizes), strict=True
        ):
            parameter.data = value.view_as(parameter)
            parameter.grad = gradient.view_as(parameter)

    def state(self) -> dict[str, Tensor]:
        """The tensors that a run goes on from, by reference."""
        return {"values": self.values.detach(), **self.optimiser.state[self.values]}

    def step(self) -> None:
        """One update from the gradients, which are zero afterwards."""
        self.optimiser.step()
        self.gradients.zero_()
