"""The same work in as many processes as there are cores, a thread each: how `make repro` trains cells."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import torch
from workloads import Work, case

from stages.training import device

work: Work  # of a process of a pool


def prepare(name: str, size: str, loop: str) -> None:
    """In a process of its own: one thread, everything ready to be timed."""
    global work
    torch.set_num_threads(1)
    work, _ = case(name, size, loop, device.choose_device("cpu"))


def go() -> None:
    work()


def beside(name: str, size: str, loop: str, processes: int) -> Work:
    """All processes doing their work once, from the start of the first to the end of the last."""
    given = (name, size, loop)
    pools = [ProcessPoolExecutor(1, get_context("spawn"), prepare, given) for _ in range(processes)]

    def together() -> None:
        for done in [pool.submit(go) for pool in pools]:
            done.result()

    return together
