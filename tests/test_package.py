"""The wheel holds encodings and measures alone, and importing encodings changes nothing of the process."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from stages.cells.code import ROOT

CORE = ROOT / "stages/core"
MEASURE = """
from posenc.biases import line_offsets, measure_bias
from posenc.frequencies import measure_frequencies
from posenc.measure import measure_table
steps = line_offsets(9)
print(measure_table(range(12)).alignment, measure_bias(-abs(steps), steps).slope[0])
assert round(measure_frequencies([1, 0.1, 0.01]).base) == 1000
"""
USE = """
import json, os, sys
before = dict(os.environ)
import torch
from torch.nn.functional import scaled_dot_product_attention
own = set(sys.modules)
from posenc.plain import Encoding
rope = Encoding("rope", width=64, heads=4)
q, k, v = torch.randn(3, 2, 4, 10, 16)
q, k = rope.rotate(q, k)
y = scaled_dot_product_attention(q, k, v, attn_mask=rope.bias(q, k))
libraries = sorted({name.partition(".")[0] for name in set(sys.modules) - own})
print(json.dumps({"shape": list(y.shape), "changed": before != dict(os.environ), "libraries": libraries}))
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as pip does and unpack it."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(CORE, folder / "project/stages/core", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "project")
    options = ["--no-build-isolation", "--no-deps", "-q", "-w", str(folder)]
    command = [sys.executable, "-m", "pip", "wheel", *options, str(folder / "project")]
    subprocess.run(command, check=True, cwd=folder, capture_output=True)
    (wheel,) = folder.glob("posenc-*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_wheel_holds_core_and_nothing_else(unpacked: Path) -> None:
    held = {path.relative_to(unpacked / "posenc") for path in unpacked.rglob("*.py")}
    assert held == {path.relative_to(CORE) for path in CORE.rglob("*.py")}
    (metadata,) = unpacked.glob("posenc-*/METADATA")
    needed = [line for line in metadata.read_text().splitlines() if line.startswith("Requires-Dist")]
    always = {line.split()[1].partition(">")[0] for line in needed if "extra ==" not in line}
    assert always == {"torch", "numpy", "scipy", "scikit-learn", "pydantic"}


def run(code: str, unpacked: Path, home: Path) -> str:
    """Return what Python says that finds the wheel alone; it must succeed."""
    variables = {"PYTHONPATH": str(unpacked), "PATH": os.environ["PATH"], "HOME": str(home)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=home, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_used_without_the_pipeline(unpacked: Path, tmp_path: Path) -> None:
    told = json.loads(run(USE, unpacked, tmp_path))
    assert told["shape"] == [2, 4, 10, 16] and not told["changed"]
    assert not {"stages", "dvc", "pandas", "ruamel", "yaml", "matplotlib"}.intersection(told["libraries"])


def test_its_measures_are_used_without_the_pipeline(unpacked: Path, tmp_path: Path) -> None:
    numbers = run(MEASURE, unpacked, tmp_path).split()
    assert [float(number) for number in numbers] == pytest.approx([1, -1])
