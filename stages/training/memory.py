"""Estimate how many replicas fit into free memory at once. Fewer give the same results up to rounding."""

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import torch
from torch import Tensor

from stages.core.settings.errors import InputError
from stages.tasks.interface import Batch, Task
from stages.training.forward import Forward

TRANSIENT = 2.0  # ASSUME gradients and temporaries need at most as much as what is saved for backward
SHARE = 0.7  # of the free memory that a run may use
# by their name in /proc/self/cgroup, those of version 1 and 2: folder, limit, use, and cache that use counts
CGROUPS = {
    "memory": ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    "": ("", "memory.max", "memory.current", "inactive_file"),
}


def measure_saved_bytes(forward: Forward, task: Task, batch: Batch) -> int:
    """Measure the bytes that one replica's forward pass saves for its backward pass.

    Parameters and batch are not counted.
    """
    counted = [*forward.model.parameters(), batch.inputs, batch.targets, batch.counted]
    known = {tensor.untyped_storage().data_ptr() for tensor in counted if tensor is not None}
    saved: dict[int, int] = {}

    def record(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in known:
            saved[storage.data_ptr()] = storage.nbytes()
        return tensor.detach()  # what knows its step would keep itself, and the pass, for ever

    first = slice(0, 1)
    part = batch.of(first)
    with torch.autograd.graph.saved_tensors_hooks(record, lambda tensor: tensor):
        task.loss(forward(part.inputs, part.asked, first), part).sum()
    return sum(saved.values())


def free_bytes(device: torch.device) -> int:
    """Return the memory of the device that is free now, in bytes."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return int(min(psutil.virtual_memory().available, free_in_cgroups_bytes()))


def free_in_cgroups_bytes(root: Path = Path("/")) -> float:
    """Return the bytes that a container or a cluster's job leaves this process; infinite without a limit.

    root: of the file system. Source: cgroup-v1/memory.rst and cgroup-v2.rst of Linux's documentation.
    """
    free, listed = math.inf, root / "proc/self/cgroup"
    for line in listed.read_text().splitlines() if listed.is_file() else ():
        _, name, path = line.split(":", 2)
        if name in CGROUPS:
            folder, limit, used, cache = CGROUPS[name]
            own = root / "sys/fs/cgroup" / folder / path.lstrip("/")
            for group in (own, *own.parents):  # a limit holds for all below; a container sees its own as top
                with suppress(OSError, ValueError):  # not there, or "max"
                    stat = dict(row.split() for row in (group / "memory.stat").read_text().splitlines())
                    most, now = (int((group / file).read_text()) for file in (limit, used))
                    free = min(free, most - now + int(stat[cache]))
    return free


def replicas_at_once(forward: Forward, task: Task, batch: Batch) -> int:
    """Number of replicas whose pass over a batch fits into free memory. Raises OutOfMemory if none fits."""
    with explain_out_of_memory(batch):
        needed = TRANSIENT * measure_saved_bytes(forward, task, batch)
    fitting = int(SHARE * free_bytes(batch.inputs.device) / needed)
    at_once = min(max(fitting, 1), len(batch.inputs))
    if at_once < len(batch.inputs):
        print(f"note: memory is short: {at_once} of {len(batch.inputs)} replicas at once", flush=True)
    return at_once


class OutOfMemory(InputError):
    """A pass over a batch does not fit into the device's memory."""


@contextmanager
def explain_out_of_memory(batch: Batch) -> Iterator[None]:
    """Turn an out-of-memory error, of a GPU or the CPU, into OutOfMemory, worded for a single replica."""
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, torch.OutOfMemoryError) and "DefaultCPUAllocator" not in str(error):
            raise
        raise OutOfMemory(
            f"one replica's batch of {batch.inputs.shape[1]} does not fit into the device's memory; "
            "expected a smaller batch_size or width, or device: cpu"
        ) from None
