"""Compile a model's forward and backward pass with torch.compile; on a GPU they replay as CUDA graphs."""

import os
import shutil
import sys
from dataclasses import replace
from importlib.util import find_spec

import torch
from torch import Tensor

from stages.training.forward import Forward


def compile_forward(forward: Forward, inputs: Tensor) -> Forward:
    """Compile the whole stack; if that fails, print one line why and return `forward` unchanged.

    Both passes are tried on `inputs`, so that a compiler fails before training. Each input shape has its own
    kernels: results then do not depend on which shape came first, which differs when a run is resumed.
    """
    device = inputs.device.type
    tool = missing_tool(device)
    if tool:
        return _stay_eager(forward, f"{tool} is not there")
    mode = "reduce-overhead" if device == "cuda" else "default"
    fused = replace(forward, whole=torch.compile(forward.model, mode=mode, dynamic=False))
    trained = [parameter for parameter in forward.model.parameters() if parameter.requires_grad]
    try:
        torch.autograd.grad(fused.run_all(inputs).sum(), trained, allow_unused=True)
    except RuntimeError as reason:  # base class of the compiler's errors
        return _stay_eager(forward, str(reason).strip().partition("\n")[0])
    return fused


def missing_tool(device: str) -> str | None:
    """What torch.compile needs for the device type and this machine lacks; None if nothing."""
    if device == "cuda":
        return None if find_spec("triton") else "the package triton"
    compiler = os.environ.get("CXX", "clang++" if sys.platform == "darwin" else "g++")
    return None if shutil.which(compiler) else f"the C++ compiler {compiler}"


def _stay_eager(forward: Forward, reason: str) -> Forward:
    print(f"compile: {reason}; continuing without, slower, with the same results up to rounding", flush=True)
    return forward
