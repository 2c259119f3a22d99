"""Count the tokens of the position probe that untrained models keep distinct: the number of theory.

Every parameter is drawn at random, also those that start at a constant. So only the architecture keeps rows
of outputs equal. Numbers are float64, so that rounding is far below any difference.
"""

import numpy as np
import torch
from numpy.typing import NDArray

from stages.core.randomness.initial import normal
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.sizes import Model
from stages.tasks.probe.task import Probe
from stages.training.assemble import assemble

TOKENS = 12
SIZES = Model(width=32, blocks=3, heads=2, expansion=4)
DRAWS = 5
TOLERANCE = 1e-9  # of the largest entry; float64 rounding through a few blocks stays far below
STD = 0.5  # of every parameter: wide enough to count, too narrow for weights that fall on one token alone


@torch.no_grad()
def draw_outputs(
    configuration: Configuration, n_tokens: int, sizes: Model, draws: Replicates
) -> NDArray[np.float64]:
    """Draw the probe's outputs [draws, n, n] of models whose every parameter is N(0, STD^2)."""
    probe = Probe(n_tokens, torch.device("cpu"))
    model = assemble(probe, configuration, sizes, draws).double()
    for name, parameter in model.named_parameters():
        parameter.copy_(normal(STD, parameter.shape[1:], draws.generators("parameters", name)))
    batch = next(probe.epoch(draws, 1, 1))
    return np.asarray(model(batch.inputs)[:, 0].numpy(), np.float64)


def count_distinct_rows(rows: NDArray[np.float64]) -> int:
    """Number of rows [n, k] that differ by more than rounding from every such row before them."""
    least = TOLERANCE * np.abs(rows).max()
    kept: list[NDArray[np.float64]] = []
    for row in rows:
        if all(np.abs(row - other).max() > least for other in kept):
            kept.append(row)
    return len(kept)


def count_most(configuration: Configuration, seed: int) -> int:
    """Count distinct rows of the draw that has most, of TOKENS tokens.

    Raises InputError if the model is too narrow.
    """
    draws = Replicates(seed, "distinguish", range(DRAWS))
    return max(map(count_distinct_rows, draw_outputs(configuration, TOKENS, SIZES, draws)))
