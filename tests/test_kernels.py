"""Which kernels stages/__init__.py makes numpy and torch choose."""

import subprocess
import sys
from pathlib import Path

import pytest
from changed_params import Changes, write_params

ROOT = Path(__file__).parents[1]
SAY = """
import stages, numpy, torch
from threadpoolctl import threadpool_info
print({pool["architecture"] for pool in threadpool_info() if pool["internal_api"] == "openblas"})
newest = "X86_V4" in numpy.show_config("dicts")["SIMD Extensions"]["found"]
print(torch.backends.cpu.get_cpu_capability(), newest)
"""


def kernels(folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", SAY],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("text", ["", "compute: {reproducible: machine}", "compute: [", "compute: 1"])
def test_numpy_takes_kernels_that_every_processor_has(text: str, tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_text(text)
    blas, rest = kernels(tmp_path)
    assert blas == "{'Haswell'}" and rest.endswith("False")


@pytest.mark.parametrize(("changes", "expected"), [({"compute.reproducible": "anywhere"}, True), ({}, False)])
def test_torch_takes_them_where_the_same_bytes_are_asked_for(
    changes: Changes, expected: bool, tmp_path: Path
) -> None:
    write_params(tmp_path, changes)
    newest = subprocess.run(
        [sys.executable, "-c", "import torch; print(torch.backends.cpu.get_cpu_capability())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert (kernels(tmp_path)[1].split()[0] == "AVX2") == (expected or newest == "AVX2")
