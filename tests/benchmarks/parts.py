"""Seconds of each part of a training step: its matrix products, its optimiser, its data, and all else."""

from itertools import islice

import torch
from torch.profiler import ProfilerActivity, profile
from workloads import BATCH, CONFIGURATION, KERNELS, Loop, model_of, random_task, seconds

from stages.core.randomness.streams import Replicates
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import Forward, compile_forward
from stages.training.optimisers import Flat

PRODUCTS = ("aten::bmm", "aten::baddbmm", "aten::mm", "aten::addmm")
STEPS = 4


def parts(name: str, loop: Loop, where: torch.device) -> dict[str, float]:
    """Measure the seconds of a step's parts, on one thread; compiled code is among all else."""
    torch.set_num_threads(1)
    task, replicates = random_task(name, where), Replicates(0, "bench", range(loop.replicas))
    model = assemble(task, CONFIGURATION, model_of(name, "small"), replicates).to(where)
    optimiser = Flat("adamw", {"params": model.parameters(), "lr": 1e-4, "weight_decay": 0})
    batches = list(islice(task.epoch(replicates, 1, BATCH), STEPS))
    forward = Forward(model, loop.precision)
    if loop.compiled:
        forward = compile_forward(forward, batches[0].inputs, batches[0].asked, KERNELS)

    def steps() -> None:
        for batch in batches:
            step(forward, task, batch, optimiser, loop.replicas)

    steps()
    whole = min(seconds(steps) for _ in range(3)) / STEPS
    with profile(activities=[ProfilerActivity.CPU]) as profiled:
        steps()
    taken = {event.key: event.self_cpu_time_total for event in profiled.key_averages()}
    every = sum(taken.values())
    products = sum(taken.get(key, 0.0) for key in PRODUCTS) / every * whole
    update = sum(spent for key, spent in taken.items() if "adamw" in key.lower()) / every * whole
    data = seconds(lambda: list(islice(task.epoch(replicates, 2, BATCH), STEPS))) / STEPS
    return {"step": whole, "products": products, "optimiser": update, "data": data}
