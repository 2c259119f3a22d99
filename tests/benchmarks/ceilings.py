"""Count a step's floating-point operations, and measure what this machine does at best."""

import torch
from torch import Tensor
from workloads import Work, in_turn, synchronise

from stages.core.settings.kinds import Format
from stages.core.settings.sizes import Model
from stages.tasks.interface import Codes, Task


def flops(task: Task, sizes: Model) -> float:
    """Count floating-point operations of the matrix products for one example, forward and backward.

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


def products_per_s(where: torch.device) -> dict[Format, float]:
    """Measure floating-point operations per second of a large matrix product of each precision."""
    wide = [torch.randn(2048, 2048, device=where) for _ in range(2)]
    operands: dict[Format, list[Tensor]] = {"fp32": wide, "bf16": [each.bfloat16() for each in wide]}

    def product(precision: Format) -> Work:
        def work() -> None:
            torch.mm(*operands[precision])
            synchronise(where)

        return work

    took = in_turn({precision: product(precision) for precision in operands})
    return {precision: 2 * 2048**3 / took_s for precision, took_s in took.items()}
