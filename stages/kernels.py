"""Set what libraries read as they load: how many threads they use, which kernels, how they draw.

Left alone they take the newest instructions that a processor has, and those of two vendors round differently.
numpy, which prepares data and analyses, always takes kernels that give the same bytes on every x86 processor
with AVX2. torch, which trains, does so with `compute.reproducible: anywhere` in params.yaml: its products in
float32 then take about twice as long.
"""

import os
import platform
import sys
from pathlib import Path

OF_NUMPY = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4"}
OF_TORCH = {"ATEN_CPU_CAPABILITY": "avx2", "MKL_CBWR": "COMPATIBLE", "ONEDNN_MAX_CPU_ISA": "AVX2"}
# pictures go into files; a notebook's own backend, which commands inherit from it, is not here
OF_STAGES = {**OF_NUMPY, "MPLBACKEND": "agg"}
USUAL = {
    # Cells are made beside each other: with more threads every small operation waits for those that another
    # process keeps from their core. Training has its own number, compute.threads.
    **{f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")},
    # Torch's threads spin while they wait for each other. Where another program holds a core, that made
    # training up to twenty times slower; a short spin costs nothing measurable.
    "GOMP_SPINCOUNT": "5000",
}
# memory in large pages, where the system gives them on request: training takes a twentieth less time;
# read as a process starts, by the C library of most Linux systems alone
LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"} if platform.libc_ver()[0] == "glibc" else {}


def configure(root: Path = Path()) -> None:
    """Set the environment of this process before it imports numpy or torch."""
    os.environ.update(OF_STAGES)
    if wants_the_same_bytes_anywhere(root / "params.yaml"):
        os.environ.update(OF_TORCH)
    for name, value in USUAL.items():
        os.environ.setdefault(name, value)


def use_large_pages() -> None:
    """Start this process once more, with large pages, unless it has them or glibc was told otherwise."""
    if not LARGE_PAGES.keys() <= os.environ.keys():
        os.execve(sys.executable, sys.orig_argv, os.environ | LARGE_PAGES)


def wants_the_same_bytes_anywhere(file: Path) -> bool:
    """Read what params.yaml says; False where it cannot be read, which the command itself then says."""
    from stages.parameters.yaml_text import parse

    try:
        return bool(parse(file.read_text(encoding="utf-8"))["compute"]["reproducible"] == "anywhere")
    except (OSError, ValueError, TypeError, KeyError):
        return False
