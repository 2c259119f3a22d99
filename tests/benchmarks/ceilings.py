"""What a step must cost: its floating-point operations and its bytes, and what this machine does at best."""

from typing import Any

import torch
from torch import Tensor
from workloads import BATCH, CONFIGURATION, Work, in_turn, synchronise

from stages.parameters.kinds import Precision
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.tasks.interface import Codes, Task
from stages.training.assemble import assemble
from stages.training.forward import Forward
from stages.training.memory import measure_saved_bytes

FLOAT = 4  # bytes


def flops(task: Task, sizes: Model) -> float:
    """Floating-point operations of the matrix products for one example, forward and backward.

    The last block computes only what is read: queries, attention rows, output projection and MLP of m tokens,
    keys and values of all n. The backward pass costs twice the forward pass.
    """
    n, d = task.positions.n_tokens, sizes.width
    m = n if task.read == slice(None) else 1
    features = 0 if isinstance(task.inputs, Codes) else task.inputs.n  # codes are looked up
    per_token = (2 + 2 * sizes.expansion) * d * d  # queries, output projection, MLP
    keys_values, attention = 2 * d * d * n, 2 * n * d
    full = (sizes.blocks - 1) * (n * (per_token + attention) + keys_values)
    last = m * (per_token + attention) + keys_values
    return 3 * 2 * (full + last + n * features * d + m * d * task.n_outputs)


def bytes_moved(task: Task, sizes: Model, where: torch.device) -> float:
    """Bytes to and from memory for one example of a full batch, at least.

    What the forward pass keeps is written once and read once, weights among it. A gradient is written, read
    and zeroed; value, mean and square are read and written by the optimiser.
    """
    replicates = Replicates(0, "bench", range(1))
    model = assemble(task, CONFIGURATION, sizes, replicates).to(where)
    kept = measure_saved_bytes(Forward(model), task, next(task.epoch(replicates, 1, BATCH)))
    parameters = sum(parameter.numel() for parameter in model.parameters())
    return (2 * kept + 9 * FLOAT * parameters) / BATCH


def ceilings(where: torch.device) -> dict[str, Any]:
    """FLOP/s of a large matrix product of each precision, and bytes/s of a large copy, both ways counted."""
    wide = [torch.randn(2048, 2048, device=where) for _ in range(2)]
    half = [each.bfloat16() for each in wide]
    precisions: dict[Precision, list[Tensor]] = {"fp32": wide, "bf16": half}
    if where.type == "cuda":
        precisions["tf32"] = wide
    source, target = (torch.empty(1 << 26, device=where) for _ in range(2))

    def product(precision: Precision, operands: list[Tensor]) -> Work:
        def work() -> None:
            torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
            torch.mm(*operands)
            synchronise(where)

        return work

    def copy() -> None:
        target.copy_(source)
        synchronise(where)

    took = in_turn({precision: product(precision, each) for precision, each in precisions.items()})
    return {
        "flop_per_s": {precision: 2 * 2048**3 / took_s for precision, took_s in took.items()},
        "bytes_per_s": 2 * FLOAT * source.numel() / in_turn({"copy": copy})["copy"],
    }
