"""Measure the frequencies of rotary positions, `inv_freq`: angles by which pairs of columns turn each step.

Usual ones are geometric: base^(-t / m) for pairs t = 0..m - 1. Linear interpolation divides all of them, and
NTK scaling raises the base. YaRN and Llama 3 slow the last ones only, and those are geometric no more.
LongRoPE divides each by a number of its own.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from .given import Numbers, to_numbers
from .measure import to_matrix
from .settings.errors import InputError

FEWEST = 3  # that show what is geometric
FINEST = 1e-5  # that rounding leaves of a logarithm
# more is left of it in coarse kinds of number, and more still of numbers below their smallest full ones
COARSE = {torch.bfloat16: (2**-8, 0), torch.float16: (2**-10, 2**-24)}


@dataclass(frozen=True)
class FrequencyMeasures:
    """Hold what m frequencies are."""

    base: float  # of the first ones, as in base^(-t / m); NaN, as ratio and slowed, where none are geometric
    ratio: float  # of a frequency to the one before, among the first ones
    first: float  # the largest frequency; 1 unless all were slowed
    geometric: int  # how many are, from the first on; 0 where fewer than 4 are
    turning: int  # how many are not 0
    slowed: float  # how many times slower the last that turns is than where the first ones lead
    wavelengths: Numbers  # steps of a whole turn [m], infinite for 0


def measure_frequencies(frequencies: ArrayLike | Tensor) -> FrequencyMeasures:
    """Measure frequencies [m]. Raises InputError for those that do not fall, or are negative."""
    numbers = to_numbers("frequencies", frequencies)
    if numbers.size != max(numbers.shape, default=0):
        raise InputError(
            f"frequencies of shape {numbers.shape}, expected [m]; give those of one axis, layer or head"
        )
    values = to_matrix("frequencies", numbers.ravel())[:, 0]
    turning = int((values > 0).sum())
    if turning < FEWEST or (np.diff(values[:turning]) >= 0).any() or values[turning:].any():
        raise InputError(
            f"frequencies: {values[0]:g}, {values[1]:g}, …, expected {FEWEST} or more that fall from the "
            "first on and are positive, zeros behind them; give inv_freq of one model"
        )
    logs, slack = np.log(values[:turning]), round_off(values[:turning])
    lengths = range(turning, FEWEST, -1)
    least = FEWEST if turning == FEWEST else 0
    count = next((length for length in lengths if is_straight(logs[:length], slack[:length])), least)
    slope, start = fit_line(logs[:count], slack[:count]) if count else (np.nan, np.nan)
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


def fit_line(logs: Numbers, slack: Numbers) -> tuple[float, float]:
    """Return slope and start of the line through logarithms [m], known to within `slack` [m]."""
    slope, start = np.polyfit(np.arange(len(logs)), logs, 1, w=1 / slack)
    return float(slope), float(start)


def is_straight(logs: Numbers, slack: Numbers) -> bool:
    """Tell whether logarithms lie on a line, but for rounding."""
    slope, start = fit_line(logs, slack)
    return bool((np.abs(start + slope * np.arange(len(logs)) - logs) <= slack).all())


def round_off(values: Numbers) -> Numbers:
    """Return what rounding leaves of the logarithm of each number [m], by the coarsest kind that has them."""
    exact = torch.from_numpy(values)
    for kind, (share, step) in COARSE.items():
        if torch.equal(exact.to(kind).double(), exact):
            return np.maximum(share, step / values)
    return np.full_like(values, FINEST)
