"""Seconds of training until two seeds reach a stated validation error on the simulated network.

Same data, sizes, learning rate and spread of the initial table; the plain loop takes one seed after the
other. The time of validation is not counted.
"""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from plain import PlainMasked
from torch import Tensor
from workloads import seconds, synchronise

from stages.measures import floors
from stages.parameters import params
from stages.parameters.params import Configuration, Params
from stages.randomness.streams import Replicates
from stages.tasks.bases.masked import MaskedRegression
from stages.tasks.facts import find_facts
from stages.tasks.network import simulate
from stages.tasks.network.task import load
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import Forward
from stages.training.optimisers import optimiser_for
from stages.training.predict import mean_score

SEEDS, SIGMA = 2, 0.1
OVER_FLOOR = 1.02  # validation error over the Gaussian conditional mean's
MOST_EPOCHS = 40


def time_to_score(where: torch.device) -> dict[str, Any]:
    """The error to reach, and seconds and epochs until the mean over seeds did, None where it did not."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write_small(root)
        simulate.main(root)
        small, data = params.load(root / params.FILE), find_facts("network").read_data(root)
    task = load(small, data, where)
    frames, masks = data["validation_frames"], data["validation_masks"]
    predicted = floors.gaussian(floors.covariance(data["train_frames"]), frames, masks, 0)
    floor = floors.masked_mse(predicted, frames, masks)
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


def write_small(root: Path) -> None:
    """The project's parameters at scale small; JSON is YAML too."""
    (root / params.FILE).write_text(json.dumps(params.read(Path(params.FILE)) | {"scale": "small"}))


Contestant = tuple[Callable[[], None], Callable[[], float]]
"""An epoch of training, and the mean validation error of the seeds."""


def ours(task: MaskedRegression, small: Params, where: torch.device) -> Contestant:
    replicates = Replicates(0, "bench", range(SEEDS))
    configuration = Configuration("pe", "learned", {"init_std": SIGMA})
    training = small.training("network")
    model = assemble(task, configuration, small.model("network"), replicates).to(where)
    optimiser = optimiser_for(model, training)
    epochs = iter(range(1, MOST_EPOCHS + 1))

    def epoch() -> None:
        for batch in task.epoch(replicates, next(epochs), training.batch_size):
            step(Forward(model), task, batch, optimiser, SEEDS)
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
            loop.steps(len(loop))
        synchronise(where)

    @torch.no_grad()
    def score() -> float:
        errors: list[Tensor] = [(loop.model(seen)[..., 0] - frames)[hidden] ** 2 for loop in loops]
        return torch.stack(errors).mean().item()

    return epoch, score
