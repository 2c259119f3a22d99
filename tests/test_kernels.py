"""Numpy and torch choose the kernels that the parameters name."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from changed_params import ROOT, Changes, write_params
from commands import call

from stages.kernels import configure, wants_the_same_bytes_anywhere

SAY = """
import stages.kernels
stages.kernels.configure()
import numpy, torch
from threadpoolctl import threadpool_info
print({pool["architecture"] for pool in threadpool_info() if pool["internal_api"] == "openblas"})
newest = "X86_V4" in numpy.show_config("dicts")["SIMD Extensions"]["found"]
print(torch.backends.cpu.get_cpu_capability(), newest)
"""


@pytest.mark.parametrize(("changes", "anywhere"), [({"compute.reproducible": "anywhere"}, True), ({}, False)])
def test_numpy_takes_kernels_that_every_processor_has_and_torch_where_the_same_bytes_are_asked_for(
    changes: Changes, anywhere: bool, tmp_path: Path
) -> None:
    write_params(tmp_path, changes)
    command, path = [sys.executable, "-c", SAY], {"PYTHONPATH": str(ROOT)}
    said = subprocess.run(command, cwd=tmp_path, env=path, capture_output=True, text=True, check=True).stdout
    blas, rest = said.splitlines()
    assert blas == "{'Haswell'}" and rest.endswith("False")
    newest = torch.backends.cpu.get_cpu_capability()
    assert (rest.split()[0] == "AVX2") == (anywhere or newest == "AVX2")


@pytest.mark.parametrize("text", ["", "compute: {reproducible: machine}", "compute: [", "compute: 1"])
def test_a_file_that_cannot_be_read_asks_for_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_text(text)
    assert not wants_the_same_bytes_anywhere(tmp_path / "params.yaml")


@pytest.mark.parametrize("given", ["", "glibc.malloc.hugetlb=0"])
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="large pages are asked of glibc")
def test_a_process_starts_once_more_with_large_pages_unless_glibc_was_told_otherwise(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    code = "import os; from stages import kernels; print(1, flush=True); kernels.use_large_pages(); "
    code += "print(os.environ['GLIBC_TUNABLES'])"
    variables = {"GLIBC_TUNABLES": given} if given else {}
    said = call(tmp_path, sys.executable, "-c", code, PYTHONPATH=str(ROOT), **variables).split()
    assert said == (["1", given] if given else ["1", "1", "glibc.malloc.hugetlb=1"])


def test_what_the_user_says_of_threads_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", {"OMP_NUM_THREADS": "3"})
    configure(tmp_path)
    assert os.environ["OMP_NUM_THREADS"] == "3" and os.environ["MKL_NUM_THREADS"] == "1"
