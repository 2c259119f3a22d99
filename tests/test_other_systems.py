"""What only Linux has is done without where it is absent, as on macOS."""

import sys
from pathlib import Path

from commands import ROOT, call

WITHOUT = """
import ctypes, os, pathlib, platform, sys

import dvc.repo, psutil, scipy.linalg, torch  # these know the system that they are on

class Libc:  # neither prctl nor mallopt
    def __init__(self, name): pass

is_file = pathlib.Path.is_file
ctypes.CDLL, sys.platform = Libc, "darwin"
platform.libc_ver, platform.processor = lambda *_: ("", ""), lambda: "arm"
pathlib.Path.is_file = lambda self: not str(self).startswith(("/proc", "/sys")) and is_file(self)
for name in ("pidfd_open", "memfd_create", "sched_getaffinity", "copy_file_range", "posix_fallocate"):
    vars(os).pop(name, None)
"""
USES = """
import numpy as np

from stages.cells.made_by import name_processor
from stages.files.memory_maps import take_rows
from stages.running.command import end_with_parent, exclusive, use_large_pages
from stages.training import device, memory

pathlib.Path(".dvc").mkdir()
with exclusive("train"):
    end_with_parent()
    use_large_pages()
where = device.choose_device("cpu")
assert memory.free_in_cgroups_bytes() == float("inf") and memory.free_bytes(where) > 0
assert name_processor() == "arm"
np.save("a.npy", np.arange(6).reshape(3, 2))
print(take_rows(np.load("a.npy", mmap_mode="r"), np.array([2, 0])).tolist())
"""


def test_stages_do_without_what_only_linux_has(tmp_path: Path) -> None:
    said = call(tmp_path, sys.executable, "-c", WITHOUT + USES, PYTHONPATH=str(ROOT))
    assert said == "[[4, 5], [0, 1]]\n"


def test_a_run_does_without_what_only_linux_has(tmp_path: Path) -> None:
    stage = "stages:\n  a: {cmd: python -m toy, outs: [a.txt]}\n"
    (tmp_path / "dvc.yaml").write_text(stage, encoding="utf-8")
    (tmp_path / "toy.py").write_text("open('a.txt', 'w').close()\n", encoding="utf-8")
    code = WITHOUT + "from pathlib import Path\nfrom stages.pipeline import worker\n"
    code += "from stages.pipeline.workers import start_here\nworker.LOADED.clear()\n"
    code += "with start_here([{}], Path().resolve()) as workers:\n"
    code += "    print(workers.submit('a', 'python -m toy', Path('log').resolve(), 0).result().failure)\n"
    assert call(tmp_path, sys.executable, "-c", code, PYTHONPATH=str(ROOT)) == "\n"
    assert (tmp_path / "a.txt").exists()
