"""The runner on a real Slurm of two logical nodes; skipped where Slurm is not installed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from commands import ROOT
from slurm import running_slurm, slurm, why_not
from toy_project import ODD_NAME, call, make_toy_project, repro, results, start, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(why_not()), reason=why_not())]
COPY = ".dvc/tmp/running/copy"
SITE = """\
jobqueue:
  slurm:
    cores: 2
    processes: 2
    memory: 2GB
    interface: lo
    queue: {partition}
"""


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with running_slurm(tmp_path_factory.mktemp("slurm")) as variables:
        yield variables


@pytest.fixture
def project(tmp_path: Path, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with its environment, whose user has configured the site; no job is left of it."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    configure(tmp_path, "main", monkeypatch)
    # nodes load all that a stage may need
    monkeypatch.setattr("toy_project.hide_torch", lambda folder: str(ROOT))
    folder = make_toy_project(tmp_path / ODD_NAME)
    (folder / ".venv").symlink_to(sys.prefix)
    monkeypatch.setattr(sys, "executable", str(folder / ".venv/bin/python"))
    yield folder
    wait_until(lambda: not slurm(variables, "squeue", "-h"), seconds=20)


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], check=False).returncode:
        pytest.skip("no permission to mount a small disk")
    with suppress(OSError), (disk / "filling").open("wb", buffering=0) as file:
        file.write(bytes(1 << 17))
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)


def configure(folder: Path, partition: str, patch: pytest.MonkeyPatch) -> None:
    (folder / "dask").mkdir(exist_ok=True)
    (folder / "dask/jobqueue.yaml").write_text(SITE.format(partition=partition))
    patch.setenv("DASK_CONFIG", str(folder / "dask"))


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = make_toy_project(tmp_path_factory.mktemp("serial"))
    call(folder, "dvc", "repro")
    return results(folder)


def test_two_nodes_do_what_dvc_repro_does(project: Path, serial: dict[str, bytes]) -> None:
    run = repro(project, "--cluster", "slurm", "--jobs", "2")
    assert run.returncode == 0, run.stderr
    assert results(project) == serial


def test_a_refused_partition(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(tmp_path, "nonesuch", monkeypatch)
    run = repro(project, "--cluster", "slurm")
    assert run.returncode == 1 and run.stderr.count("\n") == 1
    assert run.stderr.startswith("error: slurm refused a job: ") and "invalid partition" in run.stderr.lower()


def test_a_node_without_the_environment(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "dask/jobqueue.yaml").open("a") as file:
        file.write("    python: /nowhere/python\n")
    run = repro(project, "--cluster", "slurm")
    assert run.returncode == 1 and run.stderr.count("\n") == 1
    assert "ended before it worked" in run.stderr and "/nowhere/python" in run.stderr


@pytest.mark.thorough
def test_a_bad_node_beside_a_good_one(project: Path, serial: dict[str, bytes], tmp_path: Path) -> None:
    with (tmp_path / "dask/jobqueue.yaml").open("a") as file:
        file.write('    job-script-prologue: ["[ $SLURMD_NODENAME = n1 ] || exit 3"]\n')
    for name in "abc":
        (project / f"wait_{name}").write_text("8")
    run = repro(project, "--cluster", "slurm", "--jobs", "2")
    assert run.returncode == 0, run.stderr
    assert results(project) == serial


@pytest.mark.thorough
def test_a_full_disk_on_one_node(
    project: Path, serial: dict[str, bytes], tmp_path: Path, full_disk: Path
) -> None:
    (tmp_path / "scratch/n1").mkdir(parents=True)
    (tmp_path / "scratch/n2").symlink_to(full_disk)
    with (tmp_path / "dask/jobqueue.yaml").open("a") as file:
        file.write(f"    local-directory: {tmp_path}/scratch/$SLURMD_NODENAME\n")
        file.write(f"    job-script-prologue: [export TMPDIR={tmp_path}/scratch/$SLURMD_NODENAME]\n")
    for name in "abc":
        (project / f"wait_{name}").write_text("10")
    run = repro(project, "--cluster", "slurm", "--jobs", "2")
    assert run.returncode == 0, run.stderr
    assert results(project) == serial


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["scancel", "SIGKILL"])
def test_a_lost_job_is_replaced(
    project: Path, serial: dict[str, bytes], variables: dict[str, str], how: str
) -> None:
    for name in "abc":
        (project / f"wait_{name}").write_text("5")
    run = start(project, "python", "-m", "stages.pipeline.repro", "--cluster", "slurm", "--jobs", "2")
    wait_until((project / COPY / "data/begin.txt").exists)
    time.sleep(2)
    if how == "scancel":
        slurm(variables, "scancel", slurm(variables, "squeue", "-h", "-o", "%A").split()[0])
    else:
        workers = [
            p for p in psutil.process_iter(["cmdline"]) if "distributed.cli.dask_worker" in p.info["cmdline"]
        ]
        workers[0].kill()
    out, err = run.communicate(timeout=240)
    assert run.returncode == 0, out + err
    assert results(project) == serial


@pytest.mark.parametrize("how", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.thorough)])
def test_jobs_end_with_the_submitter(
    project: Path, serial: dict[str, bytes], variables: dict[str, str], how: signal.Signals
) -> None:
    (project / "wait_a").write_text("100")
    run = start(project, "python", "-m", "stages.pipeline.repro", "--cluster", "slurm", "--jobs", "2")
    wait_until((project / COPY / "data/begin.txt").exists)
    time.sleep(2)
    os.kill(run.pid, how)
    run.communicate(timeout=30)
    assert run.returncode == (130 if how == signal.SIGINT else -9)
    wait_until(lambda: not slurm(variables, "squeue", "-h"), seconds=60)
    (project / "wait_a").unlink()
    assert repro(project).returncode == 0
    assert results(project) == serial
