"""Train cells on cores that are idle while dvc runs one stage after the other, for dvc to find them trained.

Started beside `dvc repro` (see the Makefile). Of the cells that are out of date it takes every second one, in
dvc's order, then the others from the last, and leaves each as a checkpoint of its end: when dvc comes to that
cell, the very same training goes on from there, ends at once and writes its results. So there is something to
train nearly until dvc, which spends seconds on every cell itself, is through. One cell is never trained twice
at the same time.
"""

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import time

from dvc.repo import Repo

from stages.parameters import params
from stages.running.command import alone, end_with_parent, run
from stages.training import device
from stages.training.cell import CODE, MODELS, trained


def cells_to_train() -> list[tuple[str, str]]:
    """Task and configuration of the training stages that dvc would run, in the order to train them ahead."""
    with Repo() as repo:
        stale = [
            stage.cmd.split()
            for stage in repo.index.stages
            if stage.cmd
            and " stages.train " in stage.cmd
            and any(one.status() for one in [*stage.deps, *stage.outs])
        ]
    cells = [(words[-3], words[-1]) for words in stale]
    return [*cells[1::2], *reversed(cells[::2])]


def train_ahead(task: str, name: str, since: float) -> None:
    """Train a cell and leave it to dvc, unless dvc is at it or was since then (seconds of the epoch)."""
    folder = MODELS / task / name
    try:
        with alone(f"train --task {task} --configuration {name}", wait=False):
            # this process keeps the code it began with, under whose name nothing newer may be left
            edited = any(file.stat().st_mtime > since for file in CODE.rglob("*.py"))
            if not edited and not (folder.exists() and folder.stat().st_mtime > since):
                trained(params.load(), task, name)
    except (ValueError, OSError) as reason:
        print(f"{task} {name}: left to dvc ({' '.join(str(reason).split())})", flush=True)


def of_a_group() -> None:
    """A worker ends with its parent, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def main() -> None:
    since = time()
    of_a_group()
    settings = params.load()
    idle = (os.cpu_count() or 1) - 1
    if device.choose_device(settings.device).type != "cpu" or settings.compute.threads != 1 or idle == 0:
        return  # a cell alone uses what there is
    cells = cells_to_train()
    with ProcessPoolExecutor(idle, get_context("spawn"), of_a_group) as pool:
        for done in [pool.submit(train_ahead, *cell, since) for cell in cells]:
            done.result()


if __name__ == "__main__":
    run(main)
