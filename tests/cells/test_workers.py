import os
from dataclasses import replace
from pathlib import Path

import pytest

from stages.cells import workers
from stages.cells.workers import list_gpus, open_processes, open_workers, read_jobs
from stages.core.settings.errors import InputError
from stages.parameters import params

SETTINGS = params.load()


def count_processes(threads: int | None, work: int) -> int:
    settings = replace(SETTINGS, device="cpu", compute=replace(SETTINGS.compute, threads=threads))
    with open_processes(settings, work) as executor:
        return int(vars(executor)["_max_workers"])


@pytest.mark.parametrize(
    ("threads", "work", "number"),
    [(1, 99, 8), (3, 99, 2), (8, 99, 1), (16, 99, 1), (None, 99, 1), (1, 16, 16), (1, 17, 8), (1, 0, 1)],
)
def test_as_many_processes_as_have_the_cores_of_a_cell_or_as_there_are_few_cells(
    threads: int | None, work: int, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "cpu_count", lambda: 8)
    assert count_processes(threads, work) == number


def test_each_gpu_has_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "find_library", lambda name: "libcuda.so.1")
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert list_gpus(SETTINGS) == ["0", "1"] and list_gpus(replace(SETTINGS, device="cpu")) == []
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,GPU-7")  # a user's share of the machine
    with open_processes(SETTINGS, 9) as executor:
        taken = {executor.submit(name_gpu).result() for _ in range(20)}
        assert vars(executor)["_max_workers"] == 2 and taken <= {"5", "GPU-7"}


def name_gpu() -> str:
    return os.environ["CUDA_VISIBLE_DEVICES"]


@pytest.mark.parametrize(
    ("cluster", "jobs", "said"),
    [
        ("slrum", "2", "CLUSTER 'slrum' given, expected one of slurm, pbs"),
        ("slurm", "0", "JOBS 0 given, expected 1 or more"),
        ("slurm", "-3", "JOBS -3 given, expected 1 or more with CLUSTER"),
    ],
)
def test_a_cluster_that_is_none(
    cluster: str, jobs: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLUSTER", cluster)
    monkeypatch.setenv("JOBS", jobs)
    with pytest.raises(InputError, match=f"^{said}"), open_workers(tmp_path, SETTINGS, []):
        pass


def test_jobs_are_eight_unless_said_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBS", "20")
    assert read_jobs() == 20
    monkeypatch.delenv("JOBS")
    assert read_jobs() == workers.MOST_JOBS
