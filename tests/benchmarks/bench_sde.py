"""Throughput beside the package sdeint, on the same network: `python -m tests.benchmarks.bench_sde`.

sdeint (Matthew Aburn) integrates one trajectory at a time, this project's steppers all at once.
"""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from itertools import islice
from statistics import median

import numpy as np

from stages.tasks.network import euler_maruyama, graphs, heun
from stages.tasks.network.rate_network import RateNetwork, Stepper, simulate

ROUNDS = 7
STEPS = 2000
DT_S = 0.05
NETWORK = RateNetwork(
    graphs.scale_to(graphs.modular(15, 3, 0.3, 1.0, np.random.default_rng(0)).adjacency, 0.95), 1.0, 1.0, 0.4
)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def ours(stepper: Stepper, trajectories: int) -> None:
    rest = np.zeros((trajectories, len(NETWORK.weights)))
    frames = simulate(NETWORK, stepper, rest, DT_S, STEPS // 50, np.random.default_rng(0))
    list(islice(frames, 50))


def theirs(name: str) -> None:
    weights, gain, tau_s, n = NETWORK.weights, NETWORK.gain, NETWORK.tau_s, len(NETWORK.weights)
    noise = NETWORK.noise_scale * np.eye(n)
    times_s = np.arange(STEPS + 1) * DT_S
    integrate = getattr(import_module("sdeint"), name)
    integrate(
        lambda x, t: (weights @ np.tanh(gain * x) - x) / tau_s,
        lambda x, t: noise,
        np.zeros(n),
        times_s,
        generator=np.random.default_rng(0),
    )


def compare(stepper: Stepper, name: str, trajectories: int) -> str:
    """One line: both throughputs and their ratio, medians over rounds in turn."""
    rounds = [
        (seconds(lambda: ours(stepper, trajectories)), seconds(lambda: theirs(name))) for _ in range(ROUNDS)
    ]
    own_s, their_s = (median(column) for column in zip(*rounds, strict=True))
    own = trajectories * STEPS * len(NETWORK.weights) / own_s / 1e6
    their = STEPS * len(NETWORK.weights) / their_s / 1e6
    return (
        f"{trajectories:5d} trajectories {own:8.2f}   sdeint.{name} {their:6.2f}   ratio {own / their:6.1f}"
    )


def main() -> None:
    try:
        import_module("sdeint")
    except ImportError:
        sys.exit("sdeint is not installed: `pip install sdeint` (it is no dependency) to compare with it")
    print(f"{len(NETWORK.weights)} nodes, {STEPS} steps, medians of {ROUNDS} rounds in turn")
    print("million trajectories x steps x nodes per second")
    for trajectories in (20, 100, 1000):
        print("euler_maruyama", compare(euler_maruyama, "itoEuler", trajectories))
    for trajectories in (20, 100, 1000):
        print("heun          ", compare(heun, "stratHeun", trajectories))


if __name__ == "__main__":
    main()
