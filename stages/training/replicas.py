"""A part of a stack: some of its replicas passed through the model without the others."""

import torch
from torch import Tensor
from torch.func import functional_call

from stages.model.transformer import Transformer


def some_replicas(model: Transformer, inputs: Tensor, replicas: slice) -> Tensor:
    """Outputs of some of the replicas for their inputs; gradients reach the whole stack's parameters.

    What has no replica axis of its own, such as a fixed table [1, n, d], is shared.
    """
    everything = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    some = {name: value[replicas] if len(value) > 1 else value for name, value in everything.items()}
    return torch.as_tensor(functional_call(model, some, (inputs,)))
