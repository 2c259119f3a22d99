"""Choose and set up the device that trains."""

import ctypes
import os
from contextlib import suppress

import torch

from stages.parameters.errors import InputError
from stages.parameters.kinds import Precision


def choose_device(name: str, precision: Precision = "fp32") -> torch.device:
    """Choose the device `auto`, `cpu` or `cuda`, and switch on deterministic kernels and the precision.

    Of several GPUs it takes the one with most free memory, so that cells that train side by side spread.
    Raises InputError if the device or its number format does not exist.
    """
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError(
            "device: 'cuda' given, but torch finds no CUDA device; expected a GPU with its driver, or set "
            "device to cpu or auto"
        )
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # required for a deterministic cuBLAS
    os.environ.setdefault("TORCHINDUCTOR_DETERMINISTIC", "1")  # torch.compile chooses no kernel by timing
    torch.set_deterministic_debug_mode("error")  # unlike use_deterministic_algorithms, imports no compiler
    # otherwise torch fills new memory, one kernel per tensor; here all memory is written before it is read
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    _keep_freed_memory()
    device = _freest_gpu() if name != "cpu" and torch.cuda.is_available() else torch.device("cpu")
    if precision == "tf32" and device.type != "cuda":
        raise InputError(
            "training.precision: 'tf32' given, but the CPU has no such format; expected fp32 or bf16 there, "
            "or device: cuda"
        )
    if precision == "bf16" and device.type == "cpu" and not multiplies_bf16():
        print(
            "training.precision: bf16 given, but this processor has neither amx_bf16 nor avx512_bf16: "
            "training takes about twice as long as with fp32",
            flush=True,
        )
    torch.set_flush_denormal(True)  # saturated attention leaves numbers below 1e-38, a hundred times as slow
    torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
    return device


def multiplies_bf16() -> bool:
    """Whether the processor has instructions for products of bfloat16."""
    has = torch.cpu.get_capabilities()
    return any(has.get(name, False) for name in ("amx_bf16", "avx512_bf16", "bf16"))


def instructions(device: torch.device) -> str:
    """What decides which kernels run on the CPU: the vector instructions, and whether it multiplies bf16."""
    if device.type == "cuda":
        return ""
    return f"{torch.backends.cpu.get_cpu_capability()} bf16 {multiplies_bf16()}"


def device_name(device: torch.device) -> str:
    """`cpu` or the GPU's model; which of several equal GPUs is used does not change results."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def _freest_gpu() -> torch.device:
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    device = torch.device("cuda", free.index(max(free)))
    torch.cuda.set_device(device)
    return device


def _keep_freed_memory() -> None:
    """Let glibc keep large freed blocks: the next step needs them again, and new pages cost a tenth of it."""
    mmap_max, trim_threshold = -4, -1  # malloc.h
    with suppress(OSError, AttributeError):  # not glibc
        libc = ctypes.CDLL(None)
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)
