"""Euler-Maruyama: the simplest stepper, dx = a(x) dt + s dW with one evaluation of the drift a per step."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from stages.positions.positions import Matrix


def step(state: Matrix, drift: Callable[[Matrix], Matrix], dt_s: float, shocks: Matrix) -> Matrix:
    """One step of dt_s from state [trajectories, n]: x + a(x) dt + s dW.

    Noise is additive: shocks [trajectories, n] are s dW, the Wiener process' increments over dt_s times an s
    that does not depend on x, so that Ito and Stratonovich agree. Strong order 1.0, weak order 1.0, and
    order 1 without noise.
    Source: Kloeden & Platen (1992), Numerical Solution of Stochastic Differential Equations, 10.2-3 and 14.1.
    """
    return state + drift(state) * dt_s + shocks


def stable_dt_s(rates: NDArray[np.complex128]) -> float:
    """The dt_s below which every mode exp(rate t), with rates [modes] in 1/s of negative real part, decays.

    Such a mode grows by |1 + rate dt| in a step, which is below 1 for dt < -2 Re(rate) / |rate|^2.
    """
    return float(np.min(-2 * rates.real / np.abs(rates) ** 2))
