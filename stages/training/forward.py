"""How training passes inputs through a model: in which number format, all replicas at once or some."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from stages.model.transformer import Transformer
from stages.parameters.kinds import Precision
from stages.training.replicas import some_replicas


@dataclass(frozen=True)
class Forward:
    """Outputs [R, B, m, n_outputs] in float32 of inputs [R, B, n] or [R, B, n, f], for training.

    In bf16 the matrix products alone take 8-bit fractions (torch.autocast): weights, loss and optimiser stay
    in float32. `whole` is the model or its compiled form; a part of the stack goes through the model itself.
    """

    model: Transformer
    whole: Callable[[Tensor], Tensor]
    precision: Precision = "fp32"

    def all(self, inputs: Tensor) -> Tensor:
        with self._format(inputs):
            return self.whole(inputs).float()

    def some(self, inputs: Tensor, replicas: slice) -> Tensor:
        """Of some of the replicas; gradients reach the whole stack's parameters."""
        with self._format(inputs):
            return some_replicas(self.model, inputs, replicas).float()

    def _format(self, inputs: Tensor) -> torch.autocast:
        return torch.autocast(inputs.device.type, torch.bfloat16, enabled=self.precision == "bf16")


def eager(model: Transformer, precision: Precision = "fp32") -> Forward:
    """Through the model as it is."""
    return Forward(model, model, precision)
