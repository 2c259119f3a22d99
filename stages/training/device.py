"""The device that trains, and kernels that give the same bytes twice."""

import os

import torch


def choose(name: str) -> torch.device:
    """`auto`, `cpu` or `cuda` as a device, with deterministic kernels switched on."""
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError(
            "device: 'cuda' given, but torch finds no CUDA device; expected a GPU with its driver, or set "
            "device to cpu or auto"
        )
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS is deterministic only with it
    torch.use_deterministic_algorithms(True)
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")
