"""What is measured: steps of a stack of replicas, or of the plain loop, on random examples."""

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
import torch
from plain import PlainGrid, PlainMasked

from stages.parameters import params
from stages.parameters.params import Configuration
from stages.parameters.scales import Model
from stages.positions.positions import Positions
from stages.randomness.streams import Replicates
from stages.tasks.bases.masked import MaskedRegression
from stages.tasks.grid.task import Grid
from stages.tasks.interface import Task
from stages.training import device
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import Forward, compile_forward
from stages.training.optimisers import Flat

ROUNDS, BATCH = 5, 128
STEPS = {"small": 8, "paper": 3}
TOKENS = {"grid": 16, "network": 15, "recordings": 80, "recordings_360": 360}
CONFIGURATION = Configuration("pe", "learned", {})

Work = Callable[[], object]
work_of_process: Work  # of a process of a pool


def model_of(name: str, size: str) -> Model:
    """The model's sizes at that scale; recordings_360 are recordings."""
    return replace(params.load(), scale=size).model(name.partition("_")[0])


def random_task(
    name: str, n_tokens: int, where: torch.device, examples: int = BATCH * STEPS["small"]
) -> Task:
    """A task of that kind with random training examples: speed does not depend on them."""
    torch.manual_seed(0)
    if name == "grid":
        order = round(n_tokens**0.5)
        puzzles = torch.randint(0, order + 2, (examples, n_tokens), device=where)
        return Grid({"train": puzzles}, {"train": torch.randint(0, order, (examples,), device=where)}, order)
    frames = {"train": torch.randn(examples, n_tokens, device=where)}
    return MaskedRegression(frames, {}, 0.5, Positions(n_tokens), np.arange(examples))


def ours(
    task: Task, sizes: Model, replicas: int, where: torch.device, steps: int, fused: bool = False
) -> Work:
    """Steps of a stack of replicas, `fused` by torch.compile."""
    replicates = Replicates(0, "bench", range(replicas))
    model = assemble(task, CONFIGURATION, sizes, replicates).to(where)
    forward = Forward(model)
    optimiser = Flat("adamw", {"params": model.parameters(), "lr": 1e-4, "weight_decay": 0})
    if fused:
        forward = compile_forward(forward, next(task.epoch(replicates, 1, BATCH)).inputs, Path())

    def work() -> None:
        for batch in islice(task.epoch(replicates, 1, BATCH), steps):
            step(forward, task, batch, optimiser, replicas)
        synchronise(where)

    return work


def plain(task: Task, sizes: Model, where: torch.device, steps: int) -> Work:
    """Steps of one seed as usually written."""
    loop = PlainGrid(task, sizes, BATCH) if isinstance(task, Grid) else PlainMasked(task, sizes, BATCH)  # type: ignore[arg-type]

    def work() -> None:
        loop.steps(steps)
        synchronise(where)

    return work


def case(name: str, size: str, loop: str, where: torch.device) -> tuple[Work, int]:
    """The work of one row of the table, `loop` plain, a number of replicas, or 1 fused; and its samples."""
    task, sizes = random_task(name, TOKENS[name], where), model_of(name, size)
    if loop == "plain":
        return plain(task, sizes, where, STEPS[size]), STEPS[size] * BATCH
    number, _, fused = loop.partition(" ")
    replicas = int(number)
    steps = max(1, STEPS[size] // max(1, replicas // 4))  # a large stack needs fewer for a steady time
    return ours(task, sizes, replicas, where, steps, fused == "fused"), replicas * steps * BATCH


def prepare(name: str, size: str, loop: str) -> None:
    """In a process of its own: one thread, everything ready to be timed."""
    global work_of_process
    torch.set_num_threads(1)
    work_of_process, _ = case(name, size, loop, device.choose_device("cpu"))


def go() -> None:
    work_of_process()


def beside(name: str, size: str, loop: str, processes: int) -> Work:
    """A case in as many processes, a thread each, as `make repro` trains cells; first start to last end."""
    arguments = (name, size, loop)
    pools = [ProcessPoolExecutor(1, get_context("spawn"), prepare, arguments) for _ in range(processes)]

    def together() -> None:
        for done in [pool.submit(go) for pool in pools]:
            done.result()

    return together


def synchronise(where: torch.device) -> None:
    if where.type == "cuda":
        torch.cuda.synchronize()


def seconds(work: Work) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def in_turn(works: Mapping[str, Work]) -> dict[str, float]:
    """Median seconds of each piece of work over rounds taken in turn, after one round to warm up."""
    rounds = [{name: seconds(work) for name, work in works.items()} for _ in range(ROUNDS + 1)][1:]
    return {name: median(one[name] for one in rounds) for name in works}
