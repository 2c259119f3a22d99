"""The device that trains: deterministic kernels, and memory that is kept for the next step."""

import ctypes
import os
from contextlib import suppress

import torch


def choose(name: str) -> torch.device:
    """`auto`, `cpu` or `cuda` as a device, with deterministic kernels switched on."""
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError(
            "device: 'cuda' given, but torch finds no CUDA device; expected a GPU with its driver, or set "
            "device to cpu or auto"
        )
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS is deterministic only with it
    torch.set_deterministic_debug_mode("error")  # without the compiler's imports
    _keep_freed_memory()
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def _keep_freed_memory() -> None:
    """Let glibc keep large freed blocks: a step asks for them again, and fresh pages cost a tenth of it."""
    mmap_max, trim_threshold = -4, -1  # malloc.h
    with suppress(OSError, AttributeError):  # another C library
        libc = ctypes.CDLL(None)
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)
