"""Runs of dvc that were killed, failed, lost files or ran twice: what was finished stays, byte by byte."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from changed_params import ROOT, write_yaml
from commands import attempt, call
from running_study import count_finished, read_cells
from small_studies import write_study

from stages.files.hashing import hash_file
from stages.running.cache import place

pytestmark = pytest.mark.slow

OUT = Path("data/studies/own")
PIPELINE = {
    "stages": {
        "train": {
            "cmd": "python -m stages train own",
            "params": [{"params.yaml": None}],
            "deps": ["studies/own.yaml"],
            "outs": [{str(OUT): {"persist": True}}],
        }
    }
}
SIGMAS = {"of": "init_std", "values": [0.1, 0.2, 0.5, 1.0, 2.0, 5.0]}
CELLS = len(SIGMAS["values"])
LONG = {"scales.smoke.probe.training.epochs": 400}  # a second


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a project of one study, which git and dvc know, before its first run."""
    folder = write_study(tmp_path_factory.mktemp("start"), LONG, tasks=["probe"], axis=SIGMAS)
    write_yaml(folder / "dvc.yaml", PIPELINE)
    (folder / ".gitignore").write_text("/data\n")
    for command in (["git", "init", "--quiet"], ["dvc", "init", "--quiet"]):
        call(folder, *command)
    for key, value in {"user.name": "Test", "user.email": "test@example.org"}.items():
        call(folder, "git", "config", key, value)
    commit(folder)
    return folder


@pytest.fixture(scope="module")
def whole(start: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Read what an undisturbed run makes."""
    folder = copy(start, tmp_path_factory.mktemp("whole"))
    repro(folder)
    return read_cells(folder)


@pytest.fixture
def project(start: Path, tmp_path: Path) -> Path:
    return copy(start, tmp_path)


def copy(project: Path, folder: Path) -> Path:
    return Path(shutil.copytree(project, folder, dirs_exist_ok=True))


def commit(project: Path) -> None:
    call(project, "git", "add", "--all")
    call(project, "git", "commit", "--quiet", "--message", "So far")


def repro(project: Path) -> str:
    return call(project, "dvc", "repro", PYTHONPATH=str(ROOT))


def start_and_wait(project: Path, cells: int) -> subprocess.Popen[bytes]:
    """Start `dvc repro` in a group of its own and wait until so many cells are finished."""
    run = subprocess.Popen(
        ["dvc", "repro"],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which a shell's background ignores
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while count_finished(project) < cells:
        assert run.poll() is None
        time.sleep(0.01)
    return run


def find_step(run: subprocess.Popen[bytes]) -> psutil.Process:
    """Find the process of the step, which dvc may have started through a shell."""
    below = psutil.Process(run.pid).children(recursive=True)
    return next(one for one in below if "stages" in one.cmdline())


@pytest.mark.thorough  # tests/test_killed_training.py kills workers in every run
@pytest.mark.parametrize(
    ("victim", "by"),
    [
        ("dvc", signal.SIGKILL),
        ("dvc", signal.SIGTERM),
        ("step", signal.SIGKILL),
        ("step", signal.SIGTERM),
        ("worker", signal.SIGTERM),
        ("group", signal.SIGINT),
    ],
)
def test_what_was_finished_is_not_made_again(
    victim: str, by: signal.Signals, project: Path, whole: dict[str, bytes]
) -> None:
    run = start_and_wait(project, 2)
    step = find_step(run)
    alive = [step, *step.children()]
    if victim == "group":  # as Ctrl-C
        os.killpg(run.pid, by)
    else:
        psutil.Process({"dvc": run.pid, "step": step.pid, "worker": alive[-1].pid}[victim]).send_signal(by)
    assert run.wait(60) != 0 and psutil.wait_procs(alive, timeout=10)[1] == []
    kept = count_finished(project)
    assert f"own: {kept} cells kept, {CELLS - kept} to train\n" in repro(project)
    assert read_cells(project) == whole
    assert not list(project.glob(".dvc/cells/.*")) and not list(project.glob(".dvc/cells/*.checkpoint"))


@pytest.mark.thorough
def test_a_second_run_is_refused_in_a_line_and_waits_for_cells_in_another_checkout(
    project: Path, whole: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = copy(project, tmp_path_factory.mktemp("other"))
    call(other, "dvc", "cache", "dir", "--local", str(project / ".dvc/cache"))
    run = start_and_wait(project, 1)
    second = attempt(project, "dvc", "repro", PYTHONPATH=str(ROOT))
    assert second.returncode != 0 and "Traceback" not in second.stderr
    repro(other)
    assert run.wait(60) == 0 and read_cells(project) == read_cells(other) == whole
    assert count_finished(project) == CELLS


@pytest.mark.thorough
def test_an_experiment_after_a_failure_takes_what_was_finished(
    project: Path, whole: dict[str, bytes]
) -> None:
    """dvc deletes outputs that its lock does not name."""
    run = start_and_wait(project, 2)
    find_step(run).kill()
    assert run.wait(60) != 0
    kept = count_finished(project)
    commit(project)
    told = call(project, "dvc", "exp", "run", PYTHONPATH=str(ROOT))
    assert f"own: {kept} cells kept, {CELLS - kept} to train\n" in told and read_cells(project) == whole


@pytest.mark.thorough
def test_a_damaged_cache_of_dvc_is_mended_from_finished_cells(project: Path, whole: dict[str, bytes]) -> None:
    repro(project)
    weights = sorted((project / OUT).rglob("weights.safetensors"))[0]
    damaged = project / ".dvc/cache" / place(hash_file(weights, "md5"))
    damaged.chmod(0o644)
    damaged.write_bytes(b"0" + damaged.read_bytes()[1:])
    damaged.chmod(0o444)  # so dvc trusts it
    shutil.rmtree(project / OUT)
    call(project, "dvc", "checkout")
    assert read_cells(project) != whole
    call(project, "dvc", "repro", "--force", PYTHONPATH=str(ROOT))
    assert read_cells(project) == whole
    shutil.rmtree(project / OUT)
    call(project, "dvc", "checkout")
    assert read_cells(project) == whole
