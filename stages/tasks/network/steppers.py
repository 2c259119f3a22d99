"""Step dx = a(x) dt + s dW, by the stepper that `network.stepper` chooses.

step: the state [trajectories, n] after dt_s. Noise is additive: shocks [trajectories, n] are s dW, the Wiener
process' increments over dt_s times s. s does not depend on x, so that Ito and Stratonovich agree.
stable_dt_s: the dt_s below which every mode exp(rate t) decays; rates [modes] in 1/s of negative real part.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from stages.core.positions.positions import Matrix

Drift = Callable[[Matrix], Matrix]


class EulerMaruyama:
    """x + a(x) dt + s dW: strong order 1.0, weak order 1.0, and order 1 without noise.

    Source: Kloeden & Platen (1992), Numerical Solution of Stochastic Differential Equations, 10.2-3 and 14.1.
    """

    def step(self, state: Matrix, drift: Drift, dt_s: float, shocks: Matrix) -> Matrix:
        return state + drift(state) * dt_s + shocks

    def stable_dt_s(self, rates: NDArray[np.complex128]) -> float:
        """Find the dt below which |1 + rate dt|, the growth of a mode in a step, is below 1.

        That is dt < -2 Re(rate) / |rate|^2.
        """
        moduli = np.abs(rates)
        return float(np.min(-2 * (rates.real / moduli) / moduli))  # no square, which could overflow


class Heun:
    """x + (a(x) + a(x + a(x) dt + s dW)) dt / 2 + s dW.

    Strong order 1.0, with a smaller error than Euler-Maruyama (no stepper that sees increments alone has a
    higher order), and order 2 without noise.
    Sources: Ruemelin (1982), SIAM J. Numer. Anal. 19:604-613; in this form Roberts (2012), arXiv 1210.0933.
    """

    def step(self, state: Matrix, drift: Drift, dt_s: float, shocks: Matrix) -> Matrix:
        slope = drift(state)
        predicted = state + slope * dt_s + shocks
        return state + (slope + drift(predicted)) * (dt_s / 2) + shocks

    def stable_dt_s(self, rates: NDArray[np.complex128]) -> float:
        """Find the dt below which |1 + z + z^2 / 2|, the growth of a mode in a step, is below 1; z = rate dt.

        With r = |z| and c = Re(z) / |z| it is below 1 up to the positive root of r^3 / 4 + c r^2 + 2 c^2 r +
        2 c. That is the only one as the region is convex.
        """
        moduli = np.abs(rates)
        roots = (np.roots([1 / 4, c, 2 * c**2, 2 * c]) for c in rates.real / moduli)
        radii = [r.real[(np.abs(r.imag) < 1e-9) & (r.real > 0)].min() for r in roots]
        return float(np.min(radii / moduli))


Stepper = EulerMaruyama | Heun
euler_maruyama, heun = EulerMaruyama(), Heun()
