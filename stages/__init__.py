"""What has to be set before libraries load: how many threads they use, which kernels, how they draw.

Left alone they take the newest instructions that a processor has, and those of two vendors round differently.
numpy, which prepares data and analyses, always takes kernels that give the same bytes on every x86 processor
with AVX2. torch, which trains, does so with `compute.reproducible: anywhere` in params.yaml: its products in
float32 then take about twice as long.
"""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

OF_NUMPY = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4"}
OF_TORCH = {"ATEN_CPU_CAPABILITY": "avx2", "MKL_CBWR": "COMPATIBLE", "ONEDNN_MAX_CPU_ISA": "AVX2"}


def wants_the_same_bytes_anywhere(file: Path) -> bool:
    """What params.yaml says; False where it cannot be read, which the stage itself then says."""
    with suppress(ImportError):  # `make verify` needs Python alone
        from stages.parameters.yaml_text import parse

        with suppress(OSError, ValueError, TypeError, KeyError):
            return bool(parse(file.read_text(encoding="utf-8"))["compute"]["reproducible"] == "anywhere")
    return False


# Libraries load for seconds: a command that Ctrl-C ends meanwhile has no traceback. `run` sets it back.
if sys.argv[:1] == ["-m"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

os.environ.update(OF_NUMPY)
os.environ["MPLBACKEND"] = "agg"  # into files; a notebook's own, which commands inherit from it, is not here
if wants_the_same_bytes_anywhere(Path("params.yaml")):
    os.environ.update(OF_TORCH)

# A stage computes on one thread, since stages run beside each other: with more, every small operation waits
# for threads that another process keeps from their core. Training has its own number, compute.threads.
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

# Torch's threads spin while they wait for each other. Where another program holds a core, that made training
# up to twenty times slower; a short spin costs nothing measurable. Read once, when torch is first imported.
os.environ.setdefault("GOMP_SPINCOUNT", "5000")
