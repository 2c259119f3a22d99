"""The device that trains: deterministic kernels, and memory that is kept for the next step."""

import ctypes
import os
from contextlib import suppress

import torch

from stages.parameters.kinds import Precision


def choose(name: str, precision: Precision = "fp32") -> torch.device:
    """`auto`, `cpu` or `cuda` as a device, with deterministic kernels and that precision switched on.

    Of several GPUs it is the one with most free memory, so that cells started beside each other spread.
    """
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError(
            "device: 'cuda' given, but torch finds no CUDA device; expected a GPU with its driver, or set "
            "device to cpu or auto"
        )
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS is deterministic only with it
    os.environ.setdefault("TORCHINDUCTOR_DETERMINISTIC", "1")  # no kernel of torch.compile chosen by timing
    torch.set_deterministic_debug_mode("error")  # without the compiler's imports
    # torch would also fill all memory before use, a kernel per tensor; none here is read before it is written
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    _keep_freed_memory()
    device = _freest_gpu() if name != "cpu" and torch.cuda.is_available() else torch.device("cpu")
    if precision == "tf32" and device.type != "cuda":
        raise ValueError(
            "compute.precision: 'tf32' given, but the CPU has no such format; expected fp32 or bf16 there, "
            "or device: cuda"
        )
    torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
    return device


def kind(device: torch.device) -> str:
    """cpu, or the GPU's model: which of several equal GPUs it is makes no difference to a result."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def _freest_gpu() -> torch.device:
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    device = torch.device("cuda", free.index(max(free)))
    torch.cuda.set_device(device)
    return device


def _keep_freed_memory() -> None:
    """Let glibc keep large freed blocks: a step asks for them again, and fresh pages cost a tenth of it."""
    mmap_max, trim_threshold = -4, -1  # malloc.h
    with suppress(OSError, AttributeError):  # another C library
        libc = ctypes.CDLL(None)
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)
