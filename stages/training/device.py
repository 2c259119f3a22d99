"""Choose and set up the device that trains."""

import ctypes
import os
from contextlib import suppress
from hashlib import sha256

import torch

from stages.core.settings.errors import InputError
from stages.core.settings.kinds import Format, Precision

UNITS = ("amx_bf16", "avx512_bf16", "bf16")  # for products of bfloat16, as processors flag them
NEWEST = ("BF16", "FP16", "AMX", "AVX10")  # in names of ONEDNN_MAX_CPU_ISA that allow them


def choose_device(name: str) -> torch.device:
    """Choose the device `auto`, `cpu` or `cuda`, and switch on deterministic kernels.

    Raises InputError if the device does not exist.
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
    torch.set_flush_denormal(True)  # saturated attention leaves numbers below 1e-38, a hundred times as slow
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def choose_format(precision: Precision, device: torch.device) -> Format:
    """Choose the format of matrix products on the device, and switch it on: `auto` takes the fastest.

    Prints what a format without units for it costs.
    """
    multiplied = multiplies_bf16(device)
    if precision == "auto" and not multiplied:
        print(f"note: precision auto takes fp32, as {no_units(device)}", flush=True)
    if precision == "bf16" and not multiplied:
        print(f"note: precision bf16 takes up to 9 times as long as fp32, as {no_units(device)}", flush=True)
    torch.set_float32_matmul_precision("highest")
    if precision == "auto":
        return "bf16" if multiplied else "fp32"
    return precision


def multiplies_bf16(device: torch.device) -> bool:
    """Tell whether the device has units for products of bfloat16, and oneDNN may use them.

    GPUs have them from Ampere on (compute capability 8), processors where a flag says so.
    """
    if device.type == "cuda":
        return torch.cuda.get_device_capability(device) >= (8, 0)
    return bool(list_units())


def list_units() -> list[str]:
    """List the processor's units for products of bfloat16, as far as oneDNN may use them."""
    allowed = os.environ.get("ONEDNN_MAX_CPU_ISA", "ALL").upper()
    if allowed not in ("ALL", "DEFAULT") and not any(part in allowed for part in NEWEST):
        return []
    has = torch.cpu.get_capabilities()
    return [unit for unit in UNITS if has.get(unit, False)]


def no_units(device: torch.device) -> str:
    """Say that the device multiplies no bfloat16."""
    return f"this {'GPU' if device.type == 'cuda' else 'processor'} has no units for bfloat16"


def instructions(device: torch.device) -> str:
    """Name what decides which kernels run on the CPU: vector instructions, and units for bfloat16."""
    if device.type == "cuda":
        return ""
    return " ".join([torch.backends.cpu.get_cpu_capability().lower(), *list_units()])


def digest_processor() -> str:
    """Digest what compiled kernels are made for: torch, threads, and instructions that may be used."""
    has = [name for name, value in torch.cpu.get_capabilities().items() if value is True]
    allowed = torch.backends.cpu.get_cpu_capability()  # ATEN_CPU_CAPABILITY may leave some out
    made_for = torch.__version__, torch.get_num_threads(), allowed, sorted(has)
    return f"{allowed.lower()}-{sha256(repr(made_for).encode()).hexdigest()[:12]}"


def device_name(device: torch.device) -> str:
    """Return `cpu` or the GPU's model; which of several equal GPUs is used does not change results."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def _keep_freed_memory() -> None:
    """Let glibc keep large freed blocks: the next step needs them again, and new pages cost a tenth of it."""
    mmap_max, trim_threshold = -4, -1  # malloc.h
    with suppress(OSError, AttributeError):  # not glibc
        libc = ctypes.CDLL(None)
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)
