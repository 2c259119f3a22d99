"""A pipeline that is killed, started twice or out of room: a clear line, and the next run is as if alone."""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import yaml

ROOT = Path(__file__).parents[1]
TARGET = "evaluate@network"
SWEEP = {"network": ("none", "learned_s020")}
VARIABLES = os.environ | {
    "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    "PYTHONPATH": "",
    "OMP_NUM_THREADS": "1",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project at scale smoke, of which the network's stages are run."""
    folder = tmp_path_factory.mktemp("survival")
    for name in ("stages", "data/reference", ".dvc/config", ".dvcignore", ".gitignore", "data/.gitignore"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, folder / name)
    shutil.copy2(ROOT / "dvc.yaml", folder)
    values = yaml.safe_load((ROOT / "params.yaml").read_text()) | {"scale": "smoke"}
    values["sweep"] = {
        task: {name: values for name, values in configurations.items() if name in SWEEP.get(task, ("none",))}
        for task, configurations in values["sweep"].items()
    }
    values["scales"]["smoke"]["network"]["training"]["epochs"] = 20
    (folder / "params.yaml").write_text(yaml.safe_dump(values, sort_keys=False))
    for path in [*folder.glob("stages/**/dvc.lock"), *folder.glob("stages/*/dvc.yaml")]:
        path.unlink()  # of the published run, and pipelines beside this one
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


def start(folder: Path, *command: str, shell: str = "/bin/bash") -> subprocess.Popen[str]:
    """`shell` is what dvc runs a stage with: bash becomes its command, Debian's sh stays and waits for it."""
    pipe, variables = subprocess.PIPE, VARIABLES | {"SHELL": shell}
    return subprocess.Popen(command, cwd=folder, env=variables, stdout=pipe, stderr=pipe, text=True)


def repro(folder: Path) -> subprocess.CompletedProcess[str]:
    """As `make repro` does: dvc behind what mends dvc's own files."""
    assert start(folder, sys.executable, "-m", "stages.running.mend").wait() == 0
    run = start(folder, "dvc", "repro", TARGET)
    out, err = run.communicate()
    return subprocess.CompletedProcess(run.args, run.returncode, out, err)


def fresh(folder: Path) -> None:
    """Nothing made, nothing cached."""
    for made in ("data/network", "data/models", "data/scores", ".dvc/cache", ".dvc/tmp"):
        shutil.rmtree(folder / made, ignore_errors=True)
    for made in ("dvc.lock", "data/configurations.json", "data/wall_times.csv"):
        (folder / made).unlink(missing_ok=True)


def sums(folder: Path) -> dict[str, str]:
    """SHA-256 of everything made."""
    made = [
        path
        for name in ("network", "models/network", "scores")
        for path in (folder / "data" / name).rglob("*")
    ]
    files = [path for path in made if path.is_file() and path.name != ".gitignore"]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def alive(folder: Path) -> list[psutil.Process]:
    """Processes that work in the folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()) == folder and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            pass
    return found


@pytest.fixture(scope="module")
def undisturbed(project: Path) -> tuple[dict[str, str], float]:
    """What a run that nobody disturbs makes, and how long it takes, in seconds."""
    fresh(project)
    began = time.monotonic()
    done = repro(project)
    assert done.returncode == 0, done.stderr
    return sums(project), time.monotonic() - began


@pytest.mark.slow
def test_killed_at_any_instant_the_next_run_ends_in_the_same_bytes(
    project: Path, undisturbed: tuple[dict[str, str], float]
) -> None:
    expected, duration_s = undisturbed
    draw = random.Random(int(os.environ.get("KILL_SEED", "0")))
    for number in range(int(os.environ.get("KILLS", "3"))):
        fresh(project)
        run = start(project, "dvc", "repro", TARGET, shell=("/bin/sh", "/bin/bash")[number % 2])
        time.sleep(draw.uniform(0.1, 1) * duration_s)
        stages = psutil.Process(run.pid).children(recursive=True) if run.poll() is None else []
        victims = [[run.pid], [one.pid for one in stages], [run.pid, *(one.pid for one in stages)]]
        for pid in victims[number % 3]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if number % 3 == 1:
            run.communicate()  # dvc itself lives on and says what happened
        run.wait()  # a dead dvc that nobody has waited for is still a process to the next one
        again = repro(project)
        run.communicate()
        assert again.returncode == 0, again.stderr
        assert sums(project) == expected
        assert alive(project) == []


@pytest.mark.slow
def test_a_second_run_at_the_same_time_is_refused_and_the_first_is_not_disturbed(
    project: Path, undisturbed: tuple[dict[str, str], float]
) -> None:
    fresh(project)
    first = start(project, "dvc", "repro", TARGET)
    while not (project / "data/network/frames.npz").exists():
        time.sleep(0.1)
    second = repro(project)
    assert second.returncode != 0 and "lock" in second.stderr.lower()
    _, error = first.communicate()
    assert first.returncode == 0, error
    assert sums(project) == undisturbed[0]


@pytest.mark.slow
@pytest.mark.skipif(os.cpu_count() == 1, reason="no core is idle")
def test_cells_trained_ahead_are_taken_over_in_the_same_bytes(
    project: Path, undisturbed: tuple[dict[str, str], float]
) -> None:
    fresh(project)
    assert start(project, "dvc", "repro", "simulate_network", "check_configurations").wait() == 0
    ahead = start(project, "python", "-m", "stages.pipeline.train_ahead")
    _, error = ahead.communicate()
    assert ahead.returncode == 0, error
    left = {path.name for path in (project / "data/models/network").iterdir()}
    assert left == {f".{name}.checkpoint.part" for name in ("none", "learned_s020", "focus")}
    done = repro(project)
    assert done.returncode == 0, done.stderr
    assert "epoch 2/20" not in done.stdout  # nothing was trained again
    assert sums(project) == undisturbed[0]


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 100 KB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", disk], capture_output=True)
    if mounted.returncode:
        pytest.skip("no right to mount a small file system")
    yield disk
    subprocess.run(["umount", disk], check=True)


def simulate(folder: Path, data: Path) -> subprocess.Popen[str]:
    """Start the simulation of a network with `data` as its data folder."""
    shutil.copy2(ROOT / "params.yaml", folder)
    (folder / "data").symlink_to(data)
    run = start(folder, sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n" + SIMULATE)
    run.wait()
    return run


SIMULATE = """
from stages.running.command import run
from stages.tasks.network import simulate
run(simulate.main)
"""


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path, tiny_disk: Path) -> None:
    run = simulate(tmp_path, tiny_disk)
    assert run.stderr is not None
    error = run.stderr.read()
    assert run.returncode == 1 and error.count("\n") == 1 and "No space left on device" in error
    assert [path for path in tiny_disk.rglob("*") if path.is_file()] == []


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, tiny_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", tiny_disk], check=True)
    run = simulate(tmp_path, tiny_disk)
    assert run.stderr is not None
    error = run.stderr.read()
    assert run.returncode == 1 and error.count("\n") == 1 and "Read-only file system" in error
