"""Cells made on a real Slurm of two logical nodes; skipped where Slurm is not installed."""

import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from changed_params import write_params, write_yaml
from running_study import (
    ODD_NAME,
    ONE_THREAD,
    TRAIN,
    count_finished,
    kept,
    make_project,
    read_cells,
    run,
    start,
    wait_until,
)
from slurm import running_slurm, slurm, why_not
from small_disks import small_disk

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(why_not()), reason=why_not())]
SITE = """\
jobqueue:
  slurm:
    cores: 2
    processes: 2
    memory: 2GB
    interface: lo
"""
STAGES = {
    "train": {
        "cmd": "python -m stages train own",
        "deps": ["studies", "stages"],
        "outs": ["data/studies/own"],
    },
    "score": {"cmd": "python -m stages score own", "deps": ["data/studies/own"], "outs": ["data/scores/own"]},
}
CELLS = 4
EPOCHS = "scales.smoke.usual.training.epochs"
LONG = {EPOCHS: 30}


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with running_slurm(tmp_path_factory.mktemp("slurm")) as variables:
        yield variables


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return what is kept of cells that this machine made by itself."""
    folder = make_project(tmp_path_factory.mktemp("serial") / "project", LONG)
    assert run(folder, *TRAIN).returncode == 0
    return read_cells(folder)


@pytest.fixture
def project(tmp_path: Path, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a project whose user has configured the site; no job is left of it."""
    for name, value in (variables | {"CLUSTER": "slurm", "JOBS": "2"}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("DASK_CONFIG", str(tmp_path / "dask"))
    configure(tmp_path)
    yield make_project(tmp_path / ODD_NAME, LONG)
    wait_until(lambda: not list_jobs(variables), seconds=60)


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", "size=64k") as disk:
        with suppress(OSError), (disk / "filling").open("wb", buffering=0) as file:
            file.write(bytes(1 << 17))
        yield disk


def configure(folder: Path, *lines: str) -> None:
    """Describe the site, with further lines on its jobs."""
    (folder / "dask").mkdir(exist_ok=True)
    (folder / "dask/jobqueue.yaml").write_text(SITE + "".join(f"    {line}\n" for line in lines))


def list_jobs(variables: dict[str, str]) -> list[str]:
    return slurm(variables, "squeue", "-h", "-o", "%A").split()


def trains(folder: Path) -> bool:
    """Tell whether a cell is half-way, so that what is lost now goes on from its checkpoint."""
    return any((folder / ".dvc/cells").glob("*.checkpoint"))


@pytest.mark.thorough  # four minutes
def test_two_nodes_make_the_bytes_of_one_machine(project: Path, serial: dict[str, bytes]) -> None:
    write_yaml(project / "dvc.yaml", {"stages": STAGES})
    for command in (["dvc", "init", "--quiet", "--no-scm"], ["dvc", "repro"]):
        done = run(project, *command)
        assert done.returncode == 0, done.stderr
    assert kept(done.stdout) == (0, CELLS) and "own: 0 scores kept" in done.stdout
    assert read_cells(project) == serial and (project / "reports/studies/own/scores.csv").is_file()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("queue: nonesuch", ["error: slurm refused a job: ", "invalid partition"]),
        ("python: /nowhere/python", ["ended before its worker started", "/nowhere/python"]),
    ],
)
def test_a_site_that_has_no_such_thing_is_one_line(
    line: str, said: list[str], project: Path, tmp_path: Path
) -> None:
    configure(tmp_path, line)
    done = run(project, *TRAIN)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert all(part in done.stderr for part in said)


@pytest.mark.thorough
@pytest.mark.parametrize("fault", ["no start", "full disk"])
def test_a_bad_node_beside_a_good_one(
    fault: str, project: Path, serial: dict[str, bytes], tmp_path: Path, full_disk: Path
) -> None:
    scratch = f"{tmp_path}/scratch/$SLURMD_NODENAME"
    (tmp_path / "scratch/n1").mkdir(parents=True)
    (tmp_path / "scratch/n2").symlink_to(full_disk)
    if fault == "no start":
        configure(tmp_path, 'job-script-prologue: ["[ $SLURMD_NODENAME = n1 ] || exit 3"]')
    else:
        configure(tmp_path, f"local-directory: {scratch}", f"job-script-prologue: [export TMPDIR={scratch}]")
    done = run(project, *TRAIN)
    assert done.returncode == 0, done.stderr
    assert read_cells(project) == serial


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["scancel", "SIGKILL", "drain", "down"])
def test_what_is_lost_is_replaced(
    how: str, project: Path, serial: dict[str, bytes], variables: dict[str, str]
) -> None:
    running = start(project, *TRAIN)
    wait_until(lambda: trains(project), seconds=300)
    if how == "scancel":
        slurm(variables, "scancel", list_jobs(variables)[0])
    elif how == "SIGKILL":
        next(iter(find_workers(project))).kill()
    else:
        slurm(variables, "scontrol", "update", "nodename=n1", f"state={how}", "reason=test")
    out, err = running.communicate(timeout=900)
    slurm(variables, "scontrol", "update", "nodename=n1", "state=resume")
    assert running.returncode == 0, out + err
    assert read_cells(project) == serial


def find_workers(project: Path) -> Iterator[psutil.Process]:
    """Find the processes of a project's jobs in which cells are made, each started by a watcher."""
    for process in psutil.process_iter(["cmdline", "cwd"]):
        words, folder = process.info["cmdline"] or [], process.info["cwd"]
        if folder == str(project) and "--multiprocessing-fork" in words:
            yield process


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("lines", "epochs", "said"),
    [
        (["walltime: '00:01:00'"], 600, "DUE TO TIME LIMIT"),
        (["worker-extra-args: [--lifetime, 12s]"], 60, "worker-lifetime-reached"),  # as before a limit
    ],
)
def test_a_study_outlasts_its_jobs(
    lines: list[str], epochs: int, said: str, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOBS", "1")
    configure(tmp_path, "processes: 1", *lines)
    write_params(project, ONE_THREAD | {EPOCHS: epochs})
    done = run(project, *TRAIN)
    assert done.returncode == 0 and kept(done.stdout) == (0, CELLS), done.stdout + done.stderr
    outputs = [path.read_text(errors="replace") for path in (project / ".dvc/tmp/jobs").iterdir()]
    assert any(said in output for output in outputs)


@pytest.mark.parametrize("how", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.thorough)])
def test_jobs_end_with_the_submitter(
    how: signal.Signals,
    project: Path,
    serial: dict[str, bytes],
    variables: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running = start(project, *TRAIN)
    wait_until(lambda: count_finished(project), seconds=300)
    running.send_signal(how)
    _, complaint = running.communicate(timeout=120)
    assert running.returncode == (130 if how == signal.SIGINT else -9)
    assert complaint.count("\n") == (how == signal.SIGINT)
    wait_until(lambda: not list_jobs(variables), seconds=150)
    finished = count_finished(project)
    monkeypatch.delenv("CLUSTER")
    assert kept(run(project, *TRAIN).stdout) == (finished, CELLS - finished)
    assert read_cells(project) == serial
