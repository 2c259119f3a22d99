"""README shows the newest run of each kind of processor; a run is added to those before it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import bench_training
import pytest
import speeds
import torch
from bench_encodings import regions
from hosts import ALONE
from workloads import TOKENS, Loop, model_of, ours, random_task

from stages.core.settings.configuration import Configuration
from stages.training import device

ROOT = Path(__file__).parents[2]


def test_tables_are_those_measured() -> None:
    assert f"{speeds.BEGIN}\n{speeds.write_tables()}\n{speeds.END}" in speeds.README.read_text(
        encoding="utf-8"
    )


def test_the_bench_finds_all_that_it_imports() -> None:
    bench = next(line for line in (ROOT / "Makefile").read_text().splitlines() if "bench_training.py" in line)
    path, python, script = bench.split()
    ask = f"import runpy; runpy.run_path('{script}', run_name='bench')"
    command = [sys.executable, "-P", "-c", ask]
    here = f"{ROOT / script}".rpartition("/")[0]  # Python adds a script's own folder
    environment = os.environ | {"PYTHONPATH": f"{path.partition('=')[2]}:{here}"}
    found = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (python, found.returncode) == ("python", 0), found.stderr


def test_loops_in_bfloat16_are_measured_where_there_are_units_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for has, formats in ((True, {"fp32", "bf16"}), (False, {"fp32"})):
        monkeypatch.setattr(device, "multiplies_bf16", lambda where, has=has: has)
        measured = bench_training.loops("grid", "small", torch.device("cpu"))
        assert {loop.precision for loop in measured} == formats


def test_no_run_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speeds, "RUNS", tmp_path)
    for run in ({"date": "1"}, {"date": "2"}):
        path = speeds.keep_run("avx2", run)
    assert [run["date"] for run in json.loads(path.read_text(encoding="utf-8"))] == ["1", "2"]


@pytest.mark.parametrize(
    ("units", "kind"),
    [(["amx_bf16", "avx512_bf16"], "amx_bf16"), (["avx512_bf16"], "avx512_bf16"), ([], "avx2")],
)
def test_a_kind_is_named_by_its_units(units: list[str], kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "list_units", lambda: units)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX2")
    assert speeds.name_kind(torch.device("cpu")) == kind


def test_every_encoding_can_be_timed() -> None:
    """Make each on the places of the bench, which runs for minutes before it comes to them."""
    task, sizes = random_task("recordings", torch.device("cpu")), model_of("recordings", "small")
    task.positions = regions(TOKENS["recordings"])
    for scheme in ALONE:
        ours(task, sizes, torch.device("cpu"), 1, Loop("ours"), Configuration("pe", scheme, {}))
