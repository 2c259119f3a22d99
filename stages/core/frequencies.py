"""Measure the frequencies of rotary positions, `inv_freq`: angles by which pairs of columns turn each step.

Usual ones are geometric: base^(-t / m) for pairs t = 0..m - 1. Linear interpolation divides all of them, and
NTK scaling raises the base. YaRN and Llama 3 slow the last ones only, and those are geometric no more.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from .measure import to_matrix
from .settings.errors import InputError

FEWEST = 3  # that show what is geometric
# what rounding leaves of a logarithm, by the coarsest kind of number that holds all of them
ROUNDED = {torch.bfloat16: 2**-8, torch.float16: 2**-10, torch.float32: 1e-5}
FINEST = 1e-5


@dataclass(frozen=True)
class FrequencyMeasures:
    """Hold what m frequencies are."""

    base: float  # of the first ones, as in base^(-t / m)
    ratio: float  # of a frequency to the one before, among the first ones
    first: float  # the largest frequency; 1 unless all were slowed
    geometric: int  # how many are geometric, from the first on
    turning: int  # how many are not 0
    slowed: float  # how many times slower the last that turns is than where the first ones lead
    wavelengths: NDArray[np.float64]  # steps of a whole turn [m], infinite for 0


def measure_frequencies(frequencies: ArrayLike | Tensor) -> FrequencyMeasures:
    """Measure frequencies [m]. Raises InputError for those that do not fall, or are negative."""
    values = to_matrix("frequencies", frequencies)[:, 0]
    turning = int((values > 0).sum())
    if turning < FEWEST or (np.diff(values[:turning]) >= 0).any() or values[turning:].any():
        raise InputError(
            f"frequencies: {values[0]:g}, {values[1]:g}, …, expected {FEWEST} or more that fall from the "
            "first on and are positive, zeros behind them; give inv_freq of one model"
        )
    logs, pairs, slack = np.log(values[:turning]), np.arange(turning), round_off(values)
    lengths = range(turning, FEWEST, -1)
    count = next((length for length in lengths if is_straight(logs[:length], slack)), FEWEST)
    slope, start = np.polyfit(pairs[:count], logs[:count], 1)
    expected = start + slope * (turning - 1)
    with np.errstate(divide="ignore"):
        waves = 2 * np.pi / values
    return FrequencyMeasures(
        base=float(np.exp(-slope * len(values))),
        ratio=float(np.exp(slope)),
        first=float(values[0]),
        geometric=count,
        turning=turning,
        slowed=1.0 if count == turning else float(np.exp(expected - logs[-1])),
        wavelengths=waves,
    )


def is_straight(logs: NDArray[np.float64], slack: float) -> bool:
    """Tell whether logarithms lie on a line, but for rounding."""
    pairs = np.arange(len(logs))
    return bool(np.abs(np.polyval(np.polyfit(pairs, logs, 1), pairs) - logs).max() <= slack)


def round_off(values: NDArray[np.float64]) -> float:
    """Return what rounding leaves of a logarithm of these numbers."""
    exact = torch.from_numpy(values)
    kinds = (slack for kind, slack in ROUNDED.items() if torch.equal(exact.to(kind).double(), exact))
    return next(kinds, FINEST)
