"""The simulated network against its formula, scipy and the Ornstein-Uhlenbeck process."""

from itertools import islice

import numpy as np
import pytest
from scipy.linalg import solve_continuous_lyapunov

from stages.tasks.network import rate_network
from stages.tasks.network.rate_network import RateNetwork, check_step, simulate
from stages.tasks.network.steppers import Stepper, euler_maruyama, heun

WEIGHTS = np.array([[0.3, -1.2, 0.0], [0.9, 0.2, 0.5], [0.4, 0.0, -0.6]])


def of_radius(radius: float, gain: float = 1.0, noise: float = 0.4) -> RateNetwork:
    """Make two nodes that excite each other.

    Rates are (-1 + gain radius) / tau and (-1 - gain radius) / tau.
    """
    return RateNetwork(radius * np.array([[0.0, 1.0], [1.0, 0.0]]), gain, tau_s=2.0, noise=noise)


def test_drift_is_the_formula() -> None:
    state = np.random.default_rng(0).standard_normal((5, 3))
    drift = RateNetwork(WEIGHTS, gain=1.7, tau_s=0.4, noise=0.0).drift(state)
    for k, i in np.ndindex(5, 3):
        inputs = sum(WEIGHTS[i, j] * np.tanh(1.7 * state[k, j]) for j in range(3))
        assert drift[k, i] == pytest.approx((-state[k, i] + inputs) / 0.4)


@pytest.mark.parametrize(("stepper", "dt_s"), [(euler_maruyama, 0.005), (heun, 0.05)])
def test_weak_noise_has_the_covariance_of_the_linearised_network(stepper: Stepper, dt_s: float) -> None:
    network = RateNetwork(WEIGHTS, gain=0.6, tau_s=0.5, noise=1e-3)
    jacobian = (0.6 * WEIGHTS - np.eye(3)) / 0.5
    exact = np.asarray(solve_continuous_lyapunov(jacobian, -((1e-3 / 0.5) ** 2) * np.eye(3)))
    n_samples = 10_000
    frames = simulate(
        network, stepper, np.zeros((n_samples, 3)), dt_s, round(5 / dt_s), np.random.default_rng(0)
    )
    state = next(frames)
    deviation = np.sqrt((exact**2 + np.outer(np.diag(exact), np.diag(exact))) / n_samples)
    assert (np.abs(state.T @ state / n_samples - exact) < 4 * deviation).all()


SPIRAL = RateNetwork(np.array([[0.9, 2.0], [-2.0, 0.9]]), gain=1.0, tau_s=1.0, noise=0.1)


@pytest.mark.parametrize(
    ("network", "stepper", "stable_s", "message"),
    [
        # rates -0.1 / s and -0.9 / s: both steppers are stable below 2 / 0.9 s
        (of_radius(0.8), euler_maruyama, 2.2, r"2\.3 is too long at spectral radius 0\.8 .* below 2\.222"),
        (of_radius(0.8), heun, 2.2, r"2\.3 is too long at spectral radius 0\.8 .* below 2\.222"),
        # every mode grows: saturated nodes bound the step
        (
            RateNetwork(2 * np.eye(2), gain=1.0, tau_s=2.0, noise=0.1),
            heun,
            3.95,
            r"4\.05 is too long .* below 4$",
        ),
        (SPIRAL, euler_maruyama, 0.04, r"0\.14 is too long .* below 0\.04988"),
    ],
)
def test_step_is_allowed_up_to_the_fastest_mode(
    network: RateNetwork, stepper: Stepper, stable_s: float, message: str
) -> None:
    check_step(network, stepper, stable_s)
    check_step(SPIRAL, heun, 0.1)  # slow spirals, which Heun follows
    with pytest.raises(ValueError, match=f"dt_s: {message}"):
        check_step(network, stepper, stable_s + 0.1)


@pytest.mark.parametrize(
    ("stepper", "tau_s", "dt_s", "said"),
    [
        (euler_maruyama, 0.1, 0.05, "a node alone has 1.33 times the variance of its equation; take 0.005"),
        (euler_maruyama, 1.0, 0.8, "a node alone has 1.67 times the variance of its equation; take 0.05"),
        (euler_maruyama, 1.0, 0.05, ""),  # the default
        (heun, 1.0, 0.1, ""),
        (heun, 1.0, 1.5, "dt_s: 1.5 is coarse beside tau_s 1: a node alone has 0.31 times"),
    ],
)
def test_a_step_that_changes_activity_is_said(
    stepper: Stepper, tau_s: float, dt_s: float, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    network = RateNetwork(np.zeros((1, 1)), 1.0, tau_s, 0.3)
    rate_network.tell_coarse_step(network, stepper, dt_s)
    told = capsys.readouterr().out
    assert said in told and bool(told) == bool(said)
    frames = list(
        islice(simulate(network, stepper, np.zeros((4000, 1)), dt_s, 60, np.random.default_rng(0)), 40)
    )
    measured = np.var(frames[5:]) / (0.3**2 / tau_s / 2)  # noise enters as s / tau
    assert measured == pytest.approx(rate_network.measure_variance(stepper, tau_s, dt_s), rel=0.02)


@pytest.mark.parametrize("radius", [1.0, 1.5, 4.0])
def test_a_network_at_or_above_criticality_stays_bounded(radius: float) -> None:
    frames = simulate(of_radius(radius), heun, np.zeros((10, 2)), 0.1, 100, np.random.default_rng(0))
    assert max(np.abs(state).max() for state in islice(frames, 30)) < radius + 2
    with pytest.raises(ValueError, match="dt_s: 4 is too long"):
        next(simulate(of_radius(radius), heun, np.zeros((10, 2)), 4.0, 1, np.random.default_rng(0)))


def test_activity_beyond_finite_numbers_is_refused() -> None:
    frames = simulate(of_radius(0.5, noise=1e308), heun, np.zeros((10, 2)), 1.0, 50, np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"dt_s: 1 at spectral radius 0\.5 and noise 1e\+308 led .* finite"):
        next(frames)


@pytest.mark.parametrize(
    ("radius", "gain", "taus"),
    [(0, 1, 20), (0.95, 1, 100), (1.8, 0.5, 50), (0.999, 1, 200), (1, 1, 200), (2, 1, 200)],
)
def test_burn_in_is_five_times_the_slowest_decay_within_bounds(radius: float, gain: float, taus: int) -> None:
    assert rate_network.burn_in_s(of_radius(radius, gain)) == pytest.approx(taus * 2.0)


def test_a_gain_without_measure_leaves_a_step_to_take() -> None:
    for stepper in (euler_maruyama, heun):
        with pytest.raises(ValueError, match=r"is too long .* well below \d\.?\d*e-300$"):
            check_step(of_radius(1.2, gain=1e300), stepper, 0.05)


def test_steps_between_frames_are_whole() -> None:
    assert rate_network.steps_between(2.0, 0.05) == 40
    assert rate_network.steps_between(0.3, 0.1) == 3
    for interval_s, cure in ((2.03, "2 or 2.05"), (0.01, "0.05")):
        with pytest.raises(ValueError, match=f"sample_every_s: {interval_s} .* of dt_s 0.05; take {cure}$"):
            rate_network.steps_between(interval_s, 0.05)
