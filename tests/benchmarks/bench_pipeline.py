"""Seconds of what stands around training: finding nothing to do, starting a cell, making the data."""

import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
from workloads import Work, in_turn

from stages.parameters import params
from stages.tasks.grid.facts import Data
from stages.tasks.grid.facts import Settings as GridSettings
from stages.tasks.grid.puzzle_generation import generate, givens_range
from stages.tasks.network.facts import Settings as NetworkSettings
from stages.tasks.network.graphs import ring, scale_to
from stages.tasks.network.rate_network import RateNetwork, simulate
from stages.tasks.network.steppers import euler_maruyama


def pipeline() -> dict[str, float]:
    settings = params.load()
    grid = settings.section("grid", GridSettings)
    network = settings.section("network", NetworkSettings)
    sizes = replace(settings, scale="small").data("grid", Data)
    rates = RateNetwork(
        scale_to(ring(network.nodes)["adjacency"], 0.95), network.gain, network.tau_s, network.noise
    )
    rest = np.zeros((100, network.nodes))

    def puzzles() -> None:
        givens = givens_range(grid.order, grid.min_givens, grid.max_givens)
        per_complexity = (sizes.validation_per_complexity, sizes.puzzles_per_complexity)
        generate(grid.order, givens, *per_complexity, grid.min_distance, settings.seed)

    def frames() -> None:
        random = np.random.default_rng(0)
        endless = simulate(rates, euler_maruyama, rest, network.dt_s, 40, random)
        list(islice(endless, 50))

    def command(*words: str) -> Work:
        return lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True)

    works: dict[str, Work] = {
        "start_of_a_cell_s": command("-c", "import stages.train, stages.tasks.grid.task"),
        "puzzles_9108_s": puzzles,
        "network_3e6_node_steps_s": frames,
    }
    if Path("data/analysis").is_dir():  # without results dvc's dry run stops at the first missing file
        works["dvc_repro_dry_s"] = command("-m", "dvc", "repro", "--dry")
    return in_turn(works)
