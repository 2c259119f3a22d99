"""Measure steps of a stack of replicas, or of the plain loop, on random examples."""

from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import gettempdir
from time import perf_counter
from typing import Literal, TypeVar

import numpy as np
import torch
from plain import PlainGrid, PlainMasked, Way

from stages.core.positions.positions import Positions
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.kinds import Format
from stages.core.settings.sizes import Model
from stages.parameters import params
from stages.tasks.bases.masked import MaskedRegression
from stages.tasks.grid.task import Grid
from stages.tasks.interface import Task
from stages.training import device
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import Forward, compile_forward, keep_kernels
from stages.training.optimisers import Flat

ROUNDS, BATCH = 3, 128
STEPS = {"small": 8, "paper": 3}
TOKENS = {"grid": 16, "network": 15, "recordings": 80, "recordings_360": 360}
CONFIGURATION = Configuration("pe", "learned", {})
KERNELS = Path(gettempdir()) / "kernels_of_positional_encodings"

Work = Callable[[], object]
Row = TypeVar("Row", bound=Hashable)
work_of_process: Work  # of a process of a pool


@dataclass(frozen=True)
class Loop:
    """The way a row of the table trains. Processes have a thread each; a single process has all of them."""

    kind: Literal["ours", "plain", "published"]  # see plain.py
    precision: Format = "fp32"
    compiled: bool = False
    replicas: int = 1
    processes: int = 1


def model_of(name: str, size: str) -> Model:
    """Return the model's sizes at that scale; recordings_360 are recordings."""
    return replace(params.load(), scale=size).model(name.partition("_")[0])


def random_task(name: str, where: torch.device) -> Task:
    """Return a task of that kind with random training examples: speed does not depend on them."""
    torch.manual_seed(0)
    n_tokens, examples = TOKENS[name], BATCH * STEPS["small"]
    if name == "grid":
        order = round(n_tokens**0.5)
        puzzles = torch.randint(0, order + 2, (examples, n_tokens), device=where)
        return Grid({"train": puzzles}, {"train": torch.randint(0, order, (examples,), device=where)}, order)
    frames = {"train": torch.randn(examples, n_tokens, device=where)}
    return MaskedRegression(frames, {}, 0.5, Positions(n_tokens), np.arange(examples))


def ours(
    task: Task,
    sizes: Model,
    where: torch.device,
    steps: int,
    loop: Loop,
    configuration: Configuration = CONFIGURATION,
) -> Work:
    """Run steps of a stack of replicas."""
    replicates = Replicates(0, "bench", range(loop.replicas))
    model = assemble(task, configuration, sizes, replicates).to(where)
    forward = Forward(model, loop.precision)
    optimiser = Flat("adamw", {"params": model.parameters(), "lr": 1e-4, "weight_decay": 0})
    if loop.compiled:
        first = next(task.epoch(replicates, 1, BATCH))
        forward = compile_forward(forward, first.inputs, first.asked, KERNELS)

    def work() -> None:
        for batch in islice(task.epoch(replicates, 1, BATCH), steps):
            step(forward, task, batch, optimiser, loop.replicas)
        synchronise(where)

    return work


def plain(task: Task, sizes: Model, where: torch.device, steps: int, loop: Loop) -> Work:
    """Run steps of one seed as usually written."""
    way = Way(loop.kind == "published", loop.precision == "bf16", loop.compiled)
    chosen = PlainGrid if isinstance(task, Grid) else PlainMasked
    keep_kernels(KERNELS)
    runs = chosen(task, sizes, BATCH, way)  # type: ignore[arg-type]

    def work() -> None:
        runs.steps(steps)
        synchronise(where)

    work()  # compiles
    return work


def case(name: str, size: str, loop: Loop, where: torch.device) -> tuple[Work, int]:
    """Return the work of one process of a row of the table, and its samples."""
    task, sizes = random_task(name, where), model_of(name, size)
    runs = ours if loop.kind == "ours" else plain
    return runs(task, sizes, where, steps_of(size, loop), loop), samples_of(size, loop)


def steps_of(size: str, loop: Loop) -> int:
    """Return the steps of one round; a large stack needs fewer for a steady time."""
    return max(1, STEPS[size] // max(1, loop.replicas // 4))


def samples_of(size: str, loop: Loop) -> int:
    """Count the samples of one process in a round."""
    return loop.replicas * steps_of(size, loop) * BATCH


def prepare(name: str, size: str, loop: Loop) -> None:
    """Prepare a process of its own: one thread, everything ready to be timed."""
    global work_of_process
    torch.set_num_threads(1)
    work_of_process, _ = case(name, size, loop, device.choose_device("cpu"))


def go() -> None:
    work_of_process()


def warm_up(name: str, size: str, loop: Loop) -> float:
    """Measure the seconds of a first step, in a process of its own.

    It compiles, and leaves kernels for the others.
    """
    start = perf_counter()
    prepare(name, size, loop)
    go()
    return perf_counter() - start


def in_processes(name: str, size: str, loop: Loop) -> Work:
    """Run a row in its processes, as `make repro` trains cells; first start to last end."""
    arguments = (name, size, loop)
    context = get_context("spawn")
    pools = [ProcessPoolExecutor(1, context, prepare, arguments) for _ in range(loop.processes)]

    def together() -> None:
        for done in [pool.submit(go) for pool in pools]:
            done.result()

    together()  # prepared
    return together


def synchronise(where: torch.device) -> None:
    if where.type == "cuda":
        torch.cuda.synchronize()


def seconds(work: Work) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def in_turn(works: Mapping[Row, Work]) -> dict[Row, float]:
    """Return median seconds of each piece of work over rounds taken in turn, after one round to warm up."""
    rounds = [{name: seconds(work) for name, work in works.items()} for _ in range(ROUNDS + 1)][1:]
    return {name: median(one[name] for one in rounds) for name in works}
