"""How trained models bear harder inputs, beside people and a solver: reports/tables/robustness.csv."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.interventions import inputs, restore, scoring
from stages.measures.alignment import standardise
from stages.parameters import params
from stages.parameters.params import Params
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import find_facts
from stages.tasks.grid.facts import COMPLEXITIES, PUBLISHED_ORDER, complexity_masks
from stages.tasks.interface import Batch, load_task
from stages.training import device

TABLE = Path("reports/tables/robustness.csv")
HUMAN = Path("data/reference/lst_human_accuracy.csv")
MOST_FRAMES = 200  # of the validation split, evenly spaced
NOISE = (0.0, 0.25, 0.5, 1.0, 2.0)  # standard deviations; the activity's own is 1
COLUMNS = ["task", "encoding", "seed", "perturbation", "amount", "metric", "value"]

Row = tuple[str, str, int, str, float, str, float]
Right = NDArray[np.float64]  # [R, N] share of draws of a puzzle that is answered rightly
Levels = Mapping[str, NDArray[np.bool_]]  # metric -> its puzzles [N]


def perturb_puzzles(
    name: str, settings: Params, root: Path, data: Arrays, where: torch.device
) -> Iterator[Row]:
    """Accuracy of the models, and of a solver that guesses among the answers a puzzle leaves open."""
    complexity = data["validation_complexity"]
    by_complexity = complexity_masks(complexity).items()
    levels = {
        "accuracy": complexity > 0,
        **{f"accuracy_{level}": members for level, members in by_complexity},
    }
    random = generator(settings.seed, name, "interventions", "puzzles")
    puzzles = inputs.perturb_puzzles(data["validation_puzzles"], random)
    for (change, amount), draws in puzzles.items():
        if change != "corrupted":
            right = np.mean([inputs.guess_chance(draw) for draw in draws], axis=0)
            yield from rows_by_level(name, "solver", change, amount, right[None], levels)
    task = load_task(name, settings, data, where)
    answers = next(task.evaluation("validation", len(complexity))).targets
    for encoding, model in restore.restore_cells(settings, root, name, task, where):
        for (change, amount), draws in puzzles.items():
            batches = [Batch(torch.from_numpy(draw).long()[None].to(where), answers) for draw in draws]
            right = np.mean([scoring.score_each(model, task, batch) for batch in batches], axis=0)
            yield from rows_by_level(name, encoding, change, amount, right, levels)
            if change == "none":
                correlation = standardise(right) @ standardise(complexity.astype(np.float64))
                yield from rows(name, encoding, change, amount, "complexity_correlation", correlation)
    if data["validation_puzzles"].shape[1] == PUBLISHED_ORDER**2:
        yield from people(name, root)


def rows_by_level(
    name: str, encoding: str, change: str, amount: int, right: Right, levels: Levels
) -> Iterator[Row]:
    """Accuracy on all puzzles and on those of every complexity."""
    for metric, members in levels.items():
        if members.any():
            yield from rows(name, encoding, change, amount, metric, right[:, members].mean(axis=1))


def people(name: str, root: Path) -> Iterator[Row]:
    """People's accuracy on puzzles of each complexity, and on as many of each."""
    accuracy = artifacts.read_csv(root / HUMAN).set_index("condition").accuracy_mean
    yield from rows(name, "people", "none", 0, "accuracy", np.array([accuracy.mean()]))
    for level in COMPLEXITIES:
        yield from rows(name, "people", "none", 0, f"accuracy_{level}", np.array([accuracy[level.title()]]))


def perturb_frames(
    name: str, settings: Params, root: Path, data: Arrays, where: torch.device
) -> Iterator[Row]:
    """Error of the models where noise is added to what they see."""
    task = load_task(name, settings, data, where)
    batch = scoring.sample_examples(task, "validation", MOST_FRAMES)
    for encoding, model in restore.restore_cells(settings, root, name, task, where):
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


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    where = device.choose_device(settings.device)
    table: list[Row] = []
    for name in settings.tasks:
        facts = find_facts(name)
        if not facts.in_line:
            data = facts.read_data(root)
            perturb = perturb_puzzles if "validation_puzzles" in data else perturb_frames
            table += perturb(name, settings, root, data, where)
    artifacts.write_csv(root / TABLE, pd.DataFrame(table, columns=COLUMNS).dropna(subset="value"))


if __name__ == "__main__":
    run(main)
