"""Seconds of a training step under every encoding beside the learned table's, on tokens in space."""

from collections.abc import Iterable

import numpy as np
import torch
from hosts import ALONE
from scipy.spatial.distance import cdist
from workloads import TOKENS, Loop, in_turn, model_of, ours, random_task

from stages.core.positions.positions import Positions
from stages.core.settings.configuration import Configuration
from stages.core.settings.kinds import Format


def regions(n: int) -> Positions:
    """Place regions on a lattice, mm, which some schemes need, and let graph and connectivity fall off."""
    cells = np.unravel_index(np.arange(n), (-(-n // 20), 4, 5))
    places = 10 * np.stack(cells, axis=1).astype(np.float64)
    far = cdist(places, places)
    near = np.exp(-far / 10)
    return Positions(n, places, near * (1 - np.eye(n)), np.exp(-far / 40), {"mm_distance": far})


def encodings(where: torch.device, formats: Iterable[Format]) -> dict[str, dict[str, float]]:
    """Measure a step's time over that with `learned`, for each precision and scheme."""
    found: dict[str, dict[str, float]] = {}
    task, sizes = random_task("recordings", where), model_of("recordings", "small")
    task.positions = regions(TOKENS["recordings"])
    for loop in (Loop("ours", precision, replicas=3) for precision in formats):
        works = {
            scheme: ours(task, sizes, where, 1, loop, Configuration("pe", scheme, {})) for scheme in ALONE
        }
        took_s = in_turn(works)
        found[loop.precision] = {scheme: took_s[scheme] / took_s["learned"] for scheme in ALONE}
    return found
