"""A pipeline that is killed or out of room: a clear line, and the next run is as if alone."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from whole_project import copy_with_studies

from stages.files.hashing import hash_files, list_files

ROOT = Path(__file__).parents[1]
PIPELINES = ("stages/tasks/network", "studies/own")
REPRO = ("dvc", "repro", "studies/own/dvc.yaml:gather")
MADE = ("data/tasks/network", "data/studies", "data/scores", "reports/studies")
OWN = {
    "question": "Does it survive?",
    "tasks": ["network"],
    "cells": {"learned": {"scheme": "learned", "init_std": 0.2}, "none": {"scheme": "none"}},
    "set": {"training.epochs": 20},
    "figure": {"kind": "rows"},
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project at scale smoke, of which the network's stages are run."""
    folder = copy_with_studies(tmp_path_factory.mktemp("survival"), {}, own=OWN)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


def start(folder: Path, *command: str, shell: str = "/bin/bash") -> subprocess.Popen[str]:
    """`shell` is what dvc runs a stage with: bash becomes its command, Debian's sh stays and waits for it."""
    pipe = subprocess.PIPE
    variables = os.environ | {"PYTHONPATH": "", "OMP_NUM_THREADS": "1", "SHELL": shell}
    return subprocess.Popen(command, cwd=folder, env=variables, stdout=pipe, stderr=pipe, text=True)


def repro(folder: Path) -> None:
    """dvc, a second time once what a killed one leaves is cleared (as stages/running/repository.py says)."""
    for _ in range(2):
        run = start(folder, *REPRO)
        _, error = run.communicate()
        if run.returncode == 0:
            return
        for name in (".dvc/tmp/rwlock", *(f"{pipeline}/dvc.lock" for pipeline in PIPELINES)):
            (folder / name).unlink(missing_ok=True)
    raise AssertionError(error)


def fresh(folder: Path) -> None:
    """Nothing made, nothing cached."""
    for made in (*MADE, ".dvc/cache", ".dvc/tmp"):
        shutil.rmtree(folder / made, ignore_errors=True)
    for made in (*(f"{pipeline}/dvc.lock" for pipeline in PIPELINES), "data/wall_times.csv"):
        (folder / made).unlink(missing_ok=True)


def sums(folder: Path) -> dict[str, str]:
    """SHA-256 of everything made."""
    paths = [str(path.relative_to(folder)) for name in MADE for path in list_files(folder / name)]
    return {path: sha256 for path, sha256 in hash_files(folder, paths).items() if ".gitignore" not in path}


def alive(folder: Path) -> list[psutil.Process]:
    """Processes that work in the folder; of a dead one it is not known."""
    return [process for process in psutil.process_iter(["cwd"]) if process.info["cwd"] == str(folder)]


@pytest.mark.thorough
def test_killed_at_any_instant_the_next_run_ends_in_the_same_bytes(project: Path) -> None:
    fresh(project)
    began = time.monotonic()
    repro(project)
    expected, duration_s = sums(project), time.monotonic() - began
    draw = random.Random(int(os.environ.get("KILL_SEED", "0")))
    for number in range(int(os.environ.get("KILLS", "1"))):
        fresh(project)
        run = start(project, *REPRO, shell=("/bin/sh", "/bin/bash")[number % 2])
        time.sleep(draw.uniform(0.1, 1) * duration_s)
        stages = psutil.Process(run.pid).children(recursive=True) if run.poll() is None else []
        victims = [[run.pid], [one.pid for one in stages], [run.pid, *(one.pid for one in stages)]]
        for pid in victims[number % 3]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if number % 3 == 1:
            run.communicate()  # dvc itself lives on and says what happened
        run.wait()  # a dead dvc that nobody has waited for is still a process to the next one
        repro(project)
        run.communicate()
        assert sums(project) == expected
        assert alive(project) == []


SIMULATE = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from stages.running.command import run
from stages.tasks.network import simulate
run(simulate.main)
"""


@pytest.mark.parametrize(
    ("options", "complaint"),
    [("size=100k", "No space left on device"), ("size=100k,ro", "Read-only file system")],
)
def test_a_disk_that_takes_nothing_is_one_line_and_keeps_nothing(
    options: str, complaint: str, tmp_path: Path
) -> None:
    shutil.copy2(ROOT / "params.yaml", tmp_path)
    disk = tmp_path / "data"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("no right to mount a small file system")
    try:
        run = start(tmp_path, sys.executable, "-c", SIMULATE)
        _, error = run.communicate()
        assert run.returncode == 1 and error.count("\n") == 1 and complaint in error
        assert not any(path.is_file() for path in disk.rglob("*"))
    finally:
        subprocess.run(["umount", disk], check=True)
