"""How many replicas fit through the model together, from measured bytes and the memory that is free now."""

import psutil
import torch
from torch import Tensor

from stages.tasks.interface import Batch, Task
from stages.training.forward import Forward

TRANSIENT = 2.0  # ASSUME gradients and temporaries need at most as much again as what is saved for backward
SHARE = 0.7  # of the free memory that a run may take


def saved_bytes(forward: Forward, task: Task, batch: Batch) -> int:
    """Bytes that one replica's forward pass keeps for its backward pass, measured on `batch`."""
    kept: dict[int, int] = {}

    def note(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
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
    """The number of replicas, at least 1, whose pass over a batch fits into the free memory."""
    needed = TRANSIENT * saved_bytes(forward, task, batch)
    fitting = int(SHARE * free_bytes(batch.inputs.device) / needed)
    return min(max(fitting, 1), len(batch.inputs))
