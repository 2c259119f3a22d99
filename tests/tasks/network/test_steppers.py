"""Steppers: orders of convergence and stability against scipy and closed forms."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from stages.core.positions.positions import Matrix
from stages.tasks.network.rate_network import RateNetwork
from stages.tasks.network.steppers import Drift, Stepper, euler_maruyama, heun

NETWORK = RateNetwork(np.array([[0.3, -1.2, 0.0], [0.9, 0.2, 0.5], [0.4, 0.0, -0.6]]), 2.0, 1.0, 0.7)


def integrate(stepper: Stepper, drift: Drift, paths: Matrix, duration_s: float) -> Matrix:
    """End state [trajectories, n] from 0.5 over Wiener increments `paths` [steps, trajectories, n]."""
    state = np.full(paths.shape[1:], 0.5)
    for increments in paths:
        state = stepper.step(state, drift, duration_s / len(paths), 0.7 * increments)
    return state


def slope(steps: list[int], errors: list[float]) -> float:
    """Order of convergence: least-squares slope of log error over log step length."""
    return float(-np.polyfit(np.log(steps), np.log(errors), 1)[0])


@pytest.mark.parametrize(("stepper", "order"), [(euler_maruyama, 1), (heun, 2)])
def test_order_without_noise(stepper: Stepper, order: int) -> None:
    exact = solve_ivp(lambda t, x: NETWORK.drift(x[None])[0], (0, 2), [0.5] * 3, rtol=1e-12, atol=1e-12)
    steps = [64, 128, 256, 512]
    ends = [integrate(stepper, NETWORK.drift, np.zeros((n, 1, 3)), 2.0)[0] for n in steps]
    errors = [float(np.linalg.norm(end - exact.y[:, -1])) for end in ends]
    assert slope(steps, errors) == pytest.approx(order, abs=0.05)


def strong_errors(stepper: Stepper, steps: list[int]) -> list[float]:
    """Mean distance at 2 s from the solution on a 16 times finer grid, both over the same Wiener paths."""
    finest = 16 * steps[-1]
    fine = np.random.default_rng(0).standard_normal((finest, 500, 3)) * np.sqrt(2 / finest)
    exact = integrate(heun, NETWORK.drift, fine, 2.0)
    coarse = [fine.reshape(n, finest // n, 500, 3).sum(axis=1) for n in steps]
    ends = [integrate(stepper, NETWORK.drift, paths, 2.0) for paths in coarse]
    return [float(np.linalg.norm(end - exact, axis=1).mean()) for end in ends]


def test_strong_order_is_one_for_additive_noise_and_heun_s_error_is_smaller() -> None:
    steps = [16, 32, 64, 128]
    of_euler, of_heun = (strong_errors(stepper, steps) for stepper in (euler_maruyama, heun))
    assert [slope(steps, of_euler), slope(steps, of_heun)] == pytest.approx([1, 1], abs=0.1)
    assert all(smaller < 0.6 * larger for smaller, larger in zip(of_heun, of_euler, strict=True))


@pytest.mark.parametrize("stepper", [euler_maruyama, heun])
@pytest.mark.parametrize("rate", [-1 + 0j, -0.5 + 0.5j, -1 + 3j, -0.1 + 2j])
def test_modes_decay_below_the_stable_step_and_grow_above(stepper: Stepper, rate: complex) -> None:
    jacobian = np.array([[rate.real, -rate.imag], [rate.imag, rate.real]])  # eigenvalues: rate, its conjugate
    limit_s = stepper.stable_dt_s(np.linalg.eigvals(jacobian).astype(np.complex128))
    for factor, decays in ((0.99, True), (1.01, False)):
        end = np.ones((1, 2))
        for _ in range(5000):
            end = stepper.step(end, lambda x: x @ jacobian.T, factor * limit_s, np.zeros((1, 2)))
        assert (np.linalg.norm(end) < np.sqrt(2)) == decays
