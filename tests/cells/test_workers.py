"""How many workers this machine has, and what they tell of a stage."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from commands import ROOT

from stages.parameters import params
from stages.pipeline import workers
from stages.pipeline.worker import run_anew, run_forked

SETTINGS = params.load()


@pytest.mark.parametrize(("threads", "number"), [(1, 8), (3, 2), (8, 1), (16, 1), (None, 1)])
def test_as_many_workers_as_have_the_cores_of_a_cell(
    threads: int | None, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "cpu_count", lambda: 8)
    settings = replace(SETTINGS, device="cpu", compute=replace(SETTINGS.compute, threads=threads))
    assert workers.list_environments(settings) == [{}] * number


def test_a_worker_for_each_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "find_library", lambda name: "libcuda.so.1")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert workers.list_environments(SETTINGS) == [
        {"CUDA_VISIBLE_DEVICES": "0"},
        {"CUDA_VISIBLE_DEVICES": "1"},
    ]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,GPU-7")  # a user's share of the machine
    names = [variables["CUDA_VISIBLE_DEVICES"] for variables in workers.list_environments(SETTINGS)]
    assert names == ["5", "GPU-7"]


@pytest.mark.parametrize("forked", [False, True])
@pytest.mark.parametrize("folder", ["here", "no room"])
def test_what_a_stage_says_last_is_told_also_where_its_log_cannot_be_written(
    forked: bool, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stages.pipeline.worker.LOADED", [])
    (tmp_path / "here").mkdir()
    log = tmp_path / folder / "log"  # no room: as on a full disk
    command = "echo starting; echo error: data/a: No space left on device >&2; exit 1"
    run = (
        run_forked(tmp_path, command, log, {}, lambda: False) if forked else run_anew(tmp_path, command, log)
    )
    assert run.failure == f"data/a: No space left on device (log: {log})"
    assert log.exists() == (folder == "here")


def test_a_stage_prints_into_its_log_also_where_the_run_prints_into_a_file(tmp_path: Path) -> None:
    toy = "from stages.running.command import run\nrun(lambda: print('σ', 'printed'))\n"
    (tmp_path / "toy.py").write_text(toy, encoding="utf-8")
    code = f"""
import sys
from pathlib import Path
sys.path.append({str(ROOT)!r})
from stages.pipeline import worker
worker.LOADED.clear()
log = Path("log").resolve()
print(worker.run_forked(Path.cwd(), "python -m toy", log, {{}}, lambda: False).failure, end="")
"""
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-X", "utf8", "-c", code], cwd=tmp_path, stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b""
    assert (tmp_path / "log").read_text(encoding="utf-8") == "σ printed\n"
