"""Train cells on cores that are idle while dvc runs one stage after the other, for dvc to find them trained.

Started beside `dvc repro` (see the Makefile). Of the cells that are out of date it takes every second one, in
dvc's order, then the others from the last, and leaves each as a checkpoint of its end: when dvc comes to that
cell, the very same training goes on from there, ends at once and writes its results. So there is something to
train nearly until dvc, which spends seconds on every cell itself, is through. One cell is never trained twice
at the same time.
"""

import argparse
import os
import shlex
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import time

from stages.files.cells import MODELS
from stages.parameters import params
from stages.running.command import end_with_parent, exclusive, run
from stages.running.repository import open_repo
from stages.training import device
from stages.training.cell import CODE, train_cell


def list_cells() -> list[tuple[str, str]]:
    """Task and configuration of the training stages that dvc would run, in the order to train them ahead."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--task")
    parser.add_argument("--configuration")
    cells = []
    with open_repo(Path()) as repo:
        for stage in repo.index.stages:
            trains = " stages.train " in (stage.cmd or "")
            if trains and any(item.status() for item in [*stage.deps, *stage.outs]):
                cell, _ = parser.parse_known_args(shlex.split(stage.cmd))
                cells.append((cell.task, cell.configuration))
    return [*cells[1::2], *reversed(cells[::2])]


def train_ahead(task: str, name: str, since: float) -> None:
    """Train a cell and leave it to dvc, unless dvc is at it or was since then (seconds of the epoch)."""
    folder = MODELS / task / name
    try:
        with exclusive(f"python -m stages.train --task {task} --configuration {name}", wait=False):
            # this process keeps the code it began with, under whose name nothing newer may be left
            is_edited = any(file.stat().st_mtime > since for file in CODE.rglob("*.py"))
            if not is_edited and not (folder.exists() and folder.stat().st_mtime > since):
                train_cell(params.load(), Path(), task, name)
    except (ValueError, OSError) as reason:
        print(f"{task} {name}: left to dvc ({' '.join(str(reason).split())})", flush=True)


def follow_parent() -> None:
    """End with the parent process, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def main() -> None:
    since = time()
    follow_parent()
    settings = params.load()
    idle = (os.cpu_count() or 1) - 1
    if device.choose_device(settings.device).type != "cpu" or settings.compute.threads != 1 or idle == 0:
        return  # a cell alone uses what there is
    with ProcessPoolExecutor(idle, get_context("spawn"), follow_parent) as pool:
        for future in [pool.submit(train_ahead, *cell, since) for cell in list_cells()]:
            future.result()


if __name__ == "__main__":
    run(main)
