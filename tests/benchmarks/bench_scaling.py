"""How a step's cost grows with replicas, tokens and width, and an epoch's with its examples."""

from typing import Any

import numpy as np
import torch
from workloads import BATCH, Work, ours, random_task, seconds

from stages.parameters.scales import Model

BASE = Model(64, 2, 1, 4)


def exponent(xs: list[int], costs: list[float]) -> float:
    """The slope of log cost against log x."""
    return float(np.polyfit(np.log(xs), np.log(costs), 1)[0])


def scaling(where: torch.device) -> dict[str, dict[str, Any]]:
    """Seconds against each quantity, the better of two after one to warm up, with the fitted exponent."""
    grid = random_task("grid", 16, where)
    cases: dict[str, dict[int, Work]] = {
        "replicas": {r: ours(grid, BASE, r, where, 8) for r in (1, 2, 4, 8)},
        "tokens": {
            n: ours(random_task("network", n, where, BATCH), BASE, 1, where, 1) for n in (16, 64, 256, 1024)
        },
        "width": {d: ours(grid, Model(d, 2, 1, 4), 1, where, 8) for d in (32, 64, 128, 256)},
        "examples": {
            n: ours(random_task("grid", 16, where, n), BASE, 1, where, n // BATCH)
            for n in (512, 1024, 2048, 4096)
        },
    }
    found = {}
    for name, works in cases.items():
        took = [min([seconds(work) for _ in range(3)][1:]) for work in works.values()]
        found[name] = {"at": list(works), "seconds": took, "exponent": exponent(list(works), took)}
    return found
