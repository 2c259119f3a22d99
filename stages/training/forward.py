"""Pass inputs through a model in training: in which format, compiled or not, how many replicas at once."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor, nn
from torch._functorch import config as functorch
from torch.func import functional_call

from stages.core.model.asked import Asked
from stages.core.model.transformer import Transformer
from stages.core.settings.kinds import Format
from stages.training.device import digest_processor


@dataclass(frozen=True)
class Forward:
    """Computes outputs [R, B, m, n_outputs] in float32 from inputs [R, B, n] or [R, B, n, f].

    With bf16 only matrix products have 8-bit fractions (torch.autocast); weights, loss and optimiser stay
    float32. A part of the replicas always uses the model itself, not its compiled form. So does a batch of
    another size than the compiled form is for: an epoch's last one is not worth kernels of its own.
    """

    model: Transformer
    precision: Format = "fp32"
    compiled: Callable[[Tensor, Asked | None], Tensor] | None = None
    examples: int | None = None  # in a batch of the compiled form

    def __call__(self, inputs: Tensor, asked: Asked | None = None, replicas: slice | None = None) -> Tensor:
        """Return outputs of all replicas, or only of some for their inputs and what is asked of them."""
        with torch.autocast(inputs.device.type, torch.bfloat16, enabled=self.precision == "bf16"):
            if replicas is None:
                if self.compiled is None or inputs.shape[1] != self.examples:
                    return torch.as_tensor(self.model(inputs, asked)).float()
                return self.compiled(inputs, asked).float()
            return forward_replicas(self.model, inputs, asked, replicas).float()


def compile_forward(forward: Forward, inputs: Tensor, asked: Asked | None, kernels: Path) -> Forward:
    """Compile both passes of the whole stack; if that fails, print why and return `forward` unchanged.

    Kernels are kept in a folder for cells of the same shape. Both passes are tried on `inputs` and `asked`,
    so that a compiler fails before training.
    """
    keep_kernels(kernels)
    # keeps traced graphs with gradients of our own too: twice as fast when warm
    functorch.autograd_cache_allow_custom_autograd_functions = True
    compiled = torch.compile(forward.model, dynamic=False)
    fused = replace(forward, compiled=compiled, examples=inputs.shape[1])
    trained = [parameter for parameter in forward.model.parameters() if parameter.requires_grad]
    try:
        torch.autograd.grad(fused(inputs, asked).sum(), trained, allow_unused=True)
    except RuntimeError as error:  # base class of the compiler's errors, also of a compiler that is missing
        reason = str(error).strip().partition("\n")[0]
        cost = "slower, with the same results up to rounding"
        print(f"note: compile: {reason}; continuing without, {cost}", flush=True)
        return forward
    return fused


def keep_kernels(folder: Path) -> None:
    """Let the compiler keep kernels in a folder, those of each kind of processor apart.

    The compiler itself takes whatever it finds for the same model. On another processor such kernels give
    wrong numbers, or end the process.
    """
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder.resolve() / digest_processor())


def forward_replicas(model: Transformer, inputs: Tensor, asked: Asked | None, replicas: slice) -> Tensor:
    """Return outputs of some replicas for their inputs; gradients reach the whole stack's parameters.

    Tensors that replicas share, such as a fixed table [1, n, d], are used as they are.
    """
    return torch.as_tensor(functional_call(model, part_of(model, replicas), (inputs, asked)))


def part_of(module: nn.Module, replicas: slice) -> dict[str, Tensor]:
    """Return parameters and buffers of some replicas."""
    stacked = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    return {name: value[replicas] if len(value) > 1 else value for name, value in stacked.items()}
