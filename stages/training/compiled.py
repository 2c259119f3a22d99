"""A stack's forward and backward pass as fused kernels by torch.compile; on a GPU replayed as CUDA graphs."""

import os
import shutil
import sys
from dataclasses import replace
from importlib.util import find_spec

import torch
from torch import Tensor

from stages.training.forward import Forward


def compiled(forward: Forward, inputs: Tensor) -> Forward:
    """`forward` with the whole stack compiled, or as it is, with one line why, where that cannot be done.

    Both passes are tried out on `inputs`, so that a compiler that fails does so before training. Each shape
    of inputs gets kernels of its own: what they compute then never depends on which shape came first, which
    is another one in a run that is resumed.
    """
    device = inputs.device.type
    lacking = missing(device)
    if lacking:
        return _refused(forward, f"{lacking} is not there")
    mode = "reduce-overhead" if device == "cuda" else "default"
    fused = replace(forward, whole=torch.compile(forward.model, mode=mode, dynamic=False))
    learned = [parameter for parameter in forward.model.parameters() if parameter.requires_grad]
    try:
        torch.autograd.grad(fused.all(inputs).sum(), learned, allow_unused=True)
    except RuntimeError as reason:  # of the compiler's many kinds of failure, the common one
        return _refused(forward, str(reason).strip().partition("\n")[0])
    return fused


def missing(device: str) -> str | None:
    """What torch.compile needs on that type of device and this machine lacks; None if nothing."""
    if device == "cuda":
        return None if find_spec("triton") else "the package triton"
    compiler = os.environ.get("CXX", "clang++" if sys.platform == "darwin" else "g++")
    return None if shutil.which(compiler) else f"the C++ compiler {compiler}"


def _refused(forward: Forward, reason: str) -> Forward:
    print(f"compile: {reason}; going on without, slower, with the same results to rounding", flush=True)
    return forward
