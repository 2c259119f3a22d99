"""Seconds of training until two seeds reach a stated validation error on the simulated network.

Same data, sizes, learning rate and spread of the initial table; the plain loop takes one seed after the
other. The time of validation is not counted.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from plain import PlainMasked
from torch import Tensor
from workloads import seconds, synchronise

from stages.measures import floors
from stages.parameters import params
from stages.parameters.params import Configuration, Params
from stages.positions.positions import Positions
from stages.randomness.masks import draw_masks
from stages.randomness.streams import Replicates
from stages.tasks.bases.masked import MaskedRegression
from stages.tasks.network.facts import Data, Settings
from stages.tasks.network.graphs import scale_to
from stages.tasks.network.rate_network import RateNetwork
from stages.tasks.network.simulate import build_graph, record, z_score
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import eager
from stages.training.optimisers import Flat, Group
from stages.training.predict import mean_score

SEEDS, SIGMA = 2, 0.1
OVER_FLOOR = 1.02  # validation error over the Gaussian conditional mean's
MOST_EPOCHS = 40


def time_to_score(where: torch.device) -> dict[str, Any]:
    """The error to reach, and seconds and epochs until the mean over seeds did, None where it did not."""
    small = replace(params.load(), scale="small")
    task, floor = network(small, where)
    to_reach = OVER_FLOOR * floor
    found: dict[str, Any] = {"task": "network", "seeds": SEEDS, "validation_mse": to_reach}
    contestants = {"ours": ours(task, small, where), "plain": plain(task, small, where)}
    for name, (epoch, score) in contestants.items():
        took_s, epochs, reached = 0.0, 0, float("inf")
        while reached > to_reach and epochs < MOST_EPOCHS:
            took_s += seconds(epoch)
            epochs, reached = epochs + 1, score()
        found[name] = {"seconds": took_s if reached <= to_reach else None, "epochs": epochs}
    return found


def network(small: Params, where: torch.device) -> tuple[MaskedRegression, float]:
    """The simulated frames as the pipeline makes them, and the Gaussian floor of their validation."""
    settings, random = small.section("network", Settings), np.random.default_rng(0)
    weights = scale_to(build_graph(settings, Path(), random)["adjacency"], settings.spectral_radius)
    rates = RateNetwork(weights, settings.gain, settings.tau_s, settings.noise)
    data = small.data("network", Data)
    sizes = {"train": data.train_frames, "validation": data.validation_frames}
    activity = {split: record(rates, settings, n, data.trajectories, random) for split, n in sizes.items()}
    frames = {split: one.astype(np.float32) for split, one in z_score(activity).items()}
    fraction, n = settings.mask_fraction, len(weights)
    masks = {split: draw_masks(len(one), n, fraction, random) for split, one in frames.items()}
    true, hidden = frames["validation"], masks["validation"]
    predicted = floors.gaussian(floors.covariance(frames["train"]), true, hidden, 0)
    floor = float(((predicted - true)[hidden] ** 2).mean())
    activity_there, masks_there = (
        {split: torch.from_numpy(one).to(where) for split, one in some.items()} for some in (frames, masks)
    )
    rows = np.arange(sizes["train"])
    return MaskedRegression(activity_there, masks_there, fraction, Positions(n), rows), floor


Contestant = tuple[Callable[[], None], Callable[[], float]]
"""An epoch of training, and the mean validation error of the seeds."""


def ours(task: MaskedRegression, small: Params, where: torch.device) -> Contestant:
    replicates = Replicates(0, "bench", range(SEEDS))
    configuration = Configuration("pe", "learned", {"init_std": SIGMA})
    training = small.training("network")
    model = assemble(task, configuration, small.model("network"), replicates).to(where)
    optimiser = Flat("adamw", Group(model.parameters(), training.learning_rate, 0))
    epochs = iter(range(1, MOST_EPOCHS + 1))

    def epoch() -> None:
        for batch in task.epoch(replicates, next(epochs), training.batch_size):
            step(eager(model), task, batch, optimiser, SEEDS)
        synchronise(where)

    return epoch, lambda: mean_score(model, task, "validation").mean().item()


def plain(task: MaskedRegression, small: Params, where: torch.device) -> Contestant:
    sizes, training = small.model("network"), small.training("network")
    loops = [PlainMasked(task, sizes, training.batch_size) for _ in range(SEEDS)]
    for loop in loops:
        loop.optimiser.param_groups[0]["lr"] = training.learning_rate
        for block in loop.model.blocks:
            block.get_parameter("table").data *= SIGMA
    frames, hidden = task.frames["validation"], task.masks["validation"]
    seen = torch.stack([frames.masked_fill(hidden, 0), hidden.float()], dim=-1)

    def epoch() -> None:
        for loop in loops:
            loop.steps(len(loop.loader))
        synchronise(where)

    @torch.no_grad()
    def score() -> float:
        errors: list[Tensor] = [(loop.model(seen)[..., 0] - frames)[hidden] ** 2 for loop in loops]
        return torch.stack(errors).mean().item()

    return epoch, score
