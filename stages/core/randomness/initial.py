"""Initial parameter values of stacked replicas: each drawn from its replica's generator."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor


def normal(std: float, size: Sequence[int], generators: Sequence[np.random.Generator]) -> Tensor:
    """Draw N(0, std^2), [R, *size]: each replica's standard normal values times std."""
    draws = [generator.standard_normal(size, dtype=np.float32) for generator in generators]
    return std * torch.from_numpy(np.stack(draws))


def uniform(bound: float, size: Sequence[int], generators: Sequence[np.random.Generator]) -> Tensor:
    """Draw U(-bound, bound), [R, *size]."""
    draws = [generator.random(size, dtype=np.float32) for generator in generators]
    return bound * (2 * torch.from_numpy(np.stack(draws)) - 1)
