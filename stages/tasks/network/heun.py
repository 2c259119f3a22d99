"""Stochastic Heun: predictor and corrector for dx = a(x) dt + s dW, two evaluations of drift a per step."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from stages.positions.positions import Matrix


def step(state: Matrix, drift: Callable[[Matrix], Matrix], dt_s: float, shocks: Matrix) -> Matrix:
    """x + (a(x) + a(x + a(x) dt + s dW)) dt / 2 + s dW.

    Strong order 1.0, with a smaller error than Euler-Maruyama (no stepper that sees increments alone has a
    higher order), and order 2 without noise.
    Sources: Ruemelin (1982), SIAM J. Numer. Anal. 19:604-613; in this form Roberts (2012), arXiv 1210.0933.
    """
    slope = drift(state)
    predicted = state + slope * dt_s + shocks
    return state + (slope + drift(predicted)) * (dt_s / 2) + shocks


def stable_dt_s(rates: NDArray[np.complex128]) -> float:
    """The least step at which a mode stops decaying.

    A mode grows by |1 + z + z^2 / 2| in a step, z = rate dt. With r = |z| and c = Re(z) / |z| that is
    below 1 up to the positive root of r^3 / 4 + c r^2 + 2 c^2 r + 2 c, the only one as the region is convex.
    """
    moduli = np.abs(rates)
    cosines = rates.real / moduli
    roots = (np.roots([1 / 4, c, 2 * c**2, 2 * c]) for c in cosines)
    radii = [r.real[(np.abs(r.imag) < 1e-9) & (r.real > 0)].min() for r in roots]
    return float(np.min(radii / moduli))
