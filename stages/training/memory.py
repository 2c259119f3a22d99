"""How many replicas fit through the model together, from measured bytes and the memory that is free now.

Fewer at once give the same results but for rounding.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import torch
from torch import Tensor

from stages.tasks.interface import Batch, Task
from stages.training.forward import Forward

TRANSIENT = 2.0  # ASSUME gradients and temporaries need at most as much again as what is saved for backward
SHARE = 0.7  # of the free memory that a run may take


def saved_bytes(forward: Forward, task: Task, batch: Batch) -> int:
    """Bytes that one replica's forward pass keeps for its backward pass, measured on `batch`.

    Not those of parameters and of the batch itself, which are there anyway.
    """
    whole = [*forward.model.parameters(), batch.inputs, batch.targets, batch.hidden]
    there = {tensor.untyped_storage().data_ptr() for tensor in whole if tensor is not None}
    kept: dict[int, int] = {}

    def note(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in there:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    one = batch.of(slice(0, 1))
    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        task.loss(forward.some(one.inputs, slice(0, 1)), one).sum()
    return sum(kept.values())


def free_bytes(device: torch.device) -> int:
    """Memory of the device that is free now."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return int(psutil.virtual_memory().available)


def replicas_at_once(forward: Forward, task: Task, batch: Batch) -> int:
    """The number of replicas whose pass over a batch fits into the free memory; ValueError if none does."""
    with one_fits(batch):
        needed = TRANSIENT * saved_bytes(forward, task, batch)
    fitting = int(SHARE * free_bytes(batch.inputs.device) / needed)
    at_once = min(max(fitting, 1), len(batch.inputs))
    if at_once < len(batch.inputs):
        print(f"memory is short: {at_once} of {len(batch.inputs)} replicas at once", flush=True)
    return at_once


def ran_out(error: RuntimeError) -> bool:
    """Whether it says that memory ran out, a GPU's or the CPU's."""
    return isinstance(error, torch.OutOfMemoryError) or "DefaultCPUAllocator" in str(error)


@contextmanager
def one_fits(batch: Batch) -> Iterator[None]:
    """Memory that runs out for a single replica becomes ValueError."""
    try:
        yield
    except RuntimeError as error:
        if not ran_out(error):
            raise
        raise ValueError(
            f"one replica's batch of {batch.inputs.shape[1]} does not fit into the device's memory; "
            "expected a smaller batch_size or width, or device: cpu"
        ) from None
