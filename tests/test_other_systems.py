"""Commands work without what only Linux has, as on macOS."""

import sys
from pathlib import Path

import pytest
from commands import ROOT, call
from small_studies import SIGMA, write_study

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
from stages.cells.workers import METHOD
from stages.files.memory_maps import take_rows
from stages.kernels import use_large_pages
from stages.running.parent import end_with_parent
from stages.training import device, memory

end_with_parent()
use_large_pages()
where = device.choose_device("cpu")
assert memory.free_in_cgroups_bytes() == float("inf") and memory.free_bytes(where) > 0
assert name_processor() == "arm" and METHOD == "spawn"
np.save("a.npy", np.arange(6).reshape(3, 2))
print(take_rows(np.load("a.npy", mmap_mode="r"), np.array([2, 0])).tolist())
"""
TRAIN = """
from pathlib import Path

from stages.train import train

if __name__ == "__main__":  # which processes that are spawned import
    train(Path(), "own")
"""


def test_stages_do_without_what_only_linux_has(tmp_path: Path) -> None:
    said = call(tmp_path, sys.executable, "-c", WITHOUT + USES, PYTHONPATH=str(ROOT))
    assert said == "[[4, 5], [0, 1]]\n"


@pytest.mark.thorough
def test_a_study_is_trained_by_processes_that_are_spawned(tmp_path: Path) -> None:
    write_study(tmp_path, {}, tasks=["probe"], axis=SIGMA)
    (tmp_path / "spawn.py").write_text(WITHOUT + TRAIN, encoding="utf-8")
    said = call(tmp_path, sys.executable, "spawn.py", PYTHONPATH=str(ROOT))
    assert said.startswith("own: 0 cells kept, 2 to train\n")
    assert len(list(tmp_path.glob("data/studies/own/cells/*/weights.safetensors"))) == 2
