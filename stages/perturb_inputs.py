"""How trained models bear harder inputs, beside people and a solver: reports/tables/robustness.csv."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from stages.files import artifacts
from stages.interventions import inputs, restore, scoring
from stages.measures.alignment import standardised
from stages.measures.splits import COMPLEXITIES
from stages.parameters import params
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.grid import task as grid
from stages.tasks.interface import Batch
from stages.tasks.network import task as network
from stages.tasks.recordings import task as recordings
from stages.training import device

TABLE = Path("reports/tables/robustness.csv")
PEOPLE = Path("data/reference/lst_human_accuracy.csv")
PEOPLE_ORDER = 4  # of the squares that people solved
FRAMES = {"network": network, "recordings": recordings}
MOST_FRAMES = 200  # of the validation split, evenly spaced
NOISE = (0.0, 0.25, 0.5, 1.0, 2.0)  # standard deviations; the activity's own is 1
COLUMNS = ["task", "encoding", "seed", "perturbation", "amount", "metric", "value"]

Row = tuple[str, str, int, str, float, str, float]
Right = NDArray[np.float64]  # [R, N] share of draws of a puzzle that is answered rightly
Levels = Mapping[str, NDArray[np.bool_]]  # metric -> its puzzles [N]


def of_puzzles(settings: params.Params, where: torch.device) -> Iterator[Row]:
    """Accuracy of the models, and of a solver that guesses among the answers a puzzle leaves open."""
    stored = artifacts.read_arrays(artifacts.require(grid.DATA, "generate_grid"))
    complexity = stored["validation_complexity"]
    groups = {f"accuracy_{name}": complexity == code for name, code in COMPLEXITIES.items()}
    levels = {"accuracy": complexity > 0, **groups}
    random = generator(settings.seed, "grid", "interventions", "puzzles")
    puzzles = inputs.perturb_puzzles(stored["validation_puzzles"], random)
    for (name, amount), draws in puzzles.items():
        if name != "corrupted":
            right = np.mean([inputs.guess_chance(draw) for draw in draws], axis=0)
            yield from by_level("solver", name, amount, right[None], levels)
    task = grid.load(settings, where)
    answers = task.answers["validation"][None]
    for encoding, model in restore.cells(settings, "grid", task, where):
        for (name, amount), draws in puzzles.items():
            batches = [Batch(torch.from_numpy(draw).long()[None].to(where), answers) for draw in draws]
            right = np.mean([scoring.score_each(model, task, batch) for batch in batches], axis=0)
            yield from by_level(encoding, name, amount, right, levels)
            if name == "none":
                along = standardised(right) @ standardised(complexity.astype(np.float64))
                yield from rows("grid", encoding, name, amount, "complexity_correlation", along)


def by_level(encoding: str, name: str, amount: int, right: Right, levels: Levels) -> Iterator[Row]:
    """Accuracy on all puzzles and on those of every complexity."""
    for metric, members in levels.items():
        if members.any():
            yield from rows("grid", encoding, name, amount, metric, right[:, members].mean(axis=1))


def of_people() -> Iterator[Row]:
    """Accuracy on puzzles of each complexity, and on as many of each."""
    accuracy = artifacts.read_csv(PEOPLE).set_index("condition").accuracy_mean
    yield from rows("grid", "people", "none", 0, "accuracy", np.array([accuracy.mean()]))
    for name in COMPLEXITIES:
        yield from rows("grid", "people", "none", 0, f"accuracy_{name}", np.array([accuracy[name.title()]]))


def of_frames(name: str, settings: params.Params, where: torch.device) -> Iterator[Row]:
    """Error of the models where noise is added to what they see."""
    task = FRAMES[name].load(settings, where)
    batch = scoring.sample_examples(task, "validation", MOST_FRAMES)
    for encoding, model in restore.cells(settings, name, task, where):
        for std in NOISE:
            random = generator(settings.seed, name, "interventions", "noise")
            noisy = Batch(inputs.add_noise(batch.inputs, std, random), batch.targets, batch.hidden)
            yield from rows(name, encoding, "noise", std, task.metric, scoring.score(model, task, noisy))


def rows(
    task: str, encoding: str, perturbation: str, amount: float, metric: str, values: NDArray[np.float64]
) -> Iterator[Row]:
    """One per seed, columns `COLUMNS`."""
    for seed, value in enumerate(values.tolist()):
        yield task, encoding, seed, perturbation, amount, metric, value


def main() -> None:
    settings = params.load()
    where = device.choose_device(settings.device)
    found = list(of_puzzles(settings, where))
    if settings.grid.order == PEOPLE_ORDER:
        found += of_people()
    for name in FRAMES:
        found += of_frames(name, settings, where)
    artifacts.write_csv(TABLE, pd.DataFrame(found, columns=COLUMNS).dropna(subset="value"))


if __name__ == "__main__":
    run(main)
