"""A network of rate units driven by noise: tau dx_i = (-x_i + sum_j W_ij tanh(g x_j)) dt + s dW_i."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.tasks.network.scaling import spectral_radius
from stages.tasks.network.steppers import Stepper

MOST_STEPS = 10**8  # of a trajectory; the default has 6400
TOLD = 0.05  # of a node's variance that steps add or lose; the default adds 0.026


@dataclass(frozen=True)
class RateNetwork:
    """weights W [n, n], row i acting on node i; gain g; time constant tau_s; noise s of every node."""

    weights: Matrix
    gain: float
    tau_s: float
    noise: float

    def drift(self, state: Matrix) -> Matrix:
        """Mean rate of change in 1/s of state [trajectories, n]."""
        return (np.tanh(self.gain * state) @ self.weights.T - state) / self.tau_s

    def rates(self) -> NDArray[np.complex128]:
        """Return eigenvalues [n] in 1/s of the drift linearised at 0."""
        return (self.gain * np.linalg.eigvals(self.weights).astype(np.complex128) - 1) / self.tau_s


def check_step(network: RateNetwork, stepper: Stepper, dt_s: float) -> None:
    """Raise InputError for a dt_s so long that what decays in the network would grow in the simulation.

    What decays: modes of the linearised network with Re(rate) < 0, and each node alone once tanh saturates.
    Modes that grow in the network may grow here too; tanh keeps them bounded.
    """
    rates = np.append(network.rates(), -1 / network.tau_s)
    # a rate within rounding of the critical 0 neither grows nor decays
    limit_s = stepper.stable_dt_s(rates[rates.real * network.tau_s < -1e-9])
    if dt_s >= limit_s:
        raise InputError(
            f"network.dt_s: {dt_s:g} is too long at spectral radius {spectral_radius(network.weights):.4g} "
            f"(gain {network.gain:g}, tau_s {network.tau_s:g}), activity that decays would grow in every "
            f"step; take dt_s well below {limit_s:.4g}"
        )


def tell_coarse_step(network: RateNetwork, stepper: Stepper, dt_s: float) -> None:
    """Print that steps of dt_s change activity, by the variance of a node alone, where they do by `TOLD`."""
    ratio = measure_variance(stepper, network.tau_s, dt_s)
    if abs(ratio - 1) > TOLD:
        print(
            f"note: network.dt_s: {dt_s:g} is coarse beside tau_s {network.tau_s:g}: a node alone has "
            f"{ratio:.2f} times the variance of its equation; take {network.tau_s / 20:g} or less"
        )


def measure_variance(stepper: Stepper, tau_s: float, dt_s: float) -> float:
    """Measure a lone node's variance in steps of dt_s, relative to that of its equation."""
    drift, rest, one = RateNetwork(np.zeros((1, 1)), 1.0, tau_s, 1.0).drift, np.zeros((1, 1)), np.ones((1, 1))
    left, entered = stepper.step(one, drift, dt_s, rest), stepper.step(rest, drift, dt_s, one)
    return float(entered[0, 0] ** 2 * dt_s / (1 - left[0, 0] ** 2) / (tau_s / 2))


def burn_in_s(network: RateNetwork) -> float:
    """Time from rest until activity is taken as stationary."""
    slowest = -network.rates().real.max()
    # ASSUME: after five time constants of the slowest mode exp(-10) of the start is left in the covariance.
    # At least 20 tau, and at most 200 tau, which a network at or above criticality gets
    relaxation_s = 1 / slowest if slowest > 0 else np.inf
    return float(np.clip(5 * relaxation_s, 20 * network.tau_s, 200 * network.tau_s))


def check_length(burn_in_s: float, frames: int, sample_every_s: float, dt_s: float) -> None:
    """Raise InputError where a trajectory has more than MOST_STEPS steps; before any is made."""
    steps = burn_in_s / dt_s + frames * (sample_every_s / dt_s)
    if steps > MOST_STEPS:
        raise InputError(
            f"network.dt_s: {dt_s:g} asks for {steps:.2g} steps, until activity is stationary "
            f"({burn_in_s:g} s, by tau_s) and over {frames} frames of sample_every_s {sample_every_s:g}; "
            "expected at most "
            f"{MOST_STEPS:.0e}, which take an hour; take a longer dt_s, or a shorter tau_s or sample_every_s"
        )


def steps_between(sample_every_s: float, dt_s: float) -> int:
    """Count steps of dt_s between recorded frames. Raises InputError if that is no whole number."""
    steps = round(sample_every_s / dt_s)
    if steps < 1 or not math.isclose(steps * dt_s, sample_every_s, rel_tol=1e-9):
        below = math.floor(sample_every_s / dt_s)
        nearest = [f"{n * dt_s:g}" for n in (below, below + 1) if n]
        raise InputError(
            f"network.sample_every_s: {sample_every_s:g} is no whole multiple of dt_s {dt_s:g}; "
            f"take {' or '.join(nearest)}"
        )
    return steps


def simulate(
    network: RateNetwork,
    stepper: Stepper,
    state: Matrix,
    dt_s: float,
    steps_per_frame: int,
    generator: np.random.Generator,
) -> Iterator[Matrix]:
    """Yield frames [trajectories, n] without end, `steps_per_frame` steps of dt_s apart, after `state`.

    Raises InputError for a dt_s too long (check_step) and where a trajectory leaves the finite numbers.
    """
    check_step(network, stepper, dt_s)
    scale = network.noise / network.tau_s * np.sqrt(dt_s)
    while True:
        with np.errstate(over="ignore", invalid="ignore"):
            for _ in range(steps_per_frame):
                shocks = generator.standard_normal(state.shape) * scale
                state = stepper.step(state, network.drift, dt_s, shocks)
        if not np.isfinite(state).all():
            raise InputError(
                f"network.dt_s: {dt_s:g} at spectral radius {spectral_radius(network.weights):.4g} and noise "
                f"{network.noise:g} led to activity beyond finite numbers; take a shorter dt_s or lower these"
            )
        yield state
