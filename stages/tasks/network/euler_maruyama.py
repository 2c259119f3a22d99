"""Euler-Maruyama: the simplest stepper, dx = a(x) dt + s dW with one evaluation of the drift a per step."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from stages.positions.positions import Matrix


def step(state: Matrix, drift: Callable[[Matrix], Matrix], dt_s: float, shocks: Matrix) -> Matrix:
    """x + a(x) dt + s dW: strong order 1.0, weak order 1.0, and order 1 without noise.

    Source: Kloeden & Platen (1992), Numerical Solution of Stochastic Differential Equations, 10.2-3 and 14.1.
    """
    return state + drift(state) * dt_s + shocks


def stable_dt_s(rates: NDArray[np.complex128]) -> float:
    """A mode grows by |1 + rate dt| in a step, which is below 1 for dt < -2 Re(rate) / |rate|^2."""
    return float(np.min(-2 * rates.real / np.abs(rates) ** 2))
