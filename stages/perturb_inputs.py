"""How trained models bear harder inputs, beside people and a solver: reports/tables/robustness.csv."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.interventions import inputs, restore
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
Right = dict[tuple[str, int], NDArray[np.float64]]
"""(perturbation, amount) -> [R, N] share of draws of a puzzle that is answered rightly."""


def perturb_puzzles(
    name: str, settings: Params, root: Path, data: Arrays, where: torch.device
) -> Iterator[Row]:
    """Accuracy on all puzzles and on those of every complexity: of the models, of people, and of a solver.

    The solver guesses among the answers that a puzzle leaves open. People solved as many of each complexity.
    """
    complexity, unchanged = data["validation_complexity"], data["validation_puzzles"]
    by_complexity = complexity_masks(complexity).items()
    levels = {f"accuracy_{level}": members for level, members in by_complexity if members.any()}
    levels = {"accuracy": complexity > 0, **levels}
    puzzles = inputs.perturb_puzzles(unchanged, generator(settings.seed, name, "interventions", "puzzles"))
    task = load_task(name, settings, data, where)
    answers = next(task.evaluation("validation", len(complexity))).targets
    guesses = {
        change: np.mean([inputs.guess_chance(draw) for draw in draws], axis=0)[None]
        for change, draws in puzzles.items()
        if "corrupted" not in change
    }
    right: dict[str, Right] = {"solver": guesses}
    for encoding, model in restore.restore_cells(settings, root, name, task, where):
        right[encoding] = {}
        for change, draws in puzzles.items():
            batches = [Batch(torch.from_numpy(draw).long()[None].to(where), answers) for draw in draws]
            scores = [restore.score_each(model, task, batch) for batch in batches]
            right[encoding][change] = np.mean(scores, axis=0)
    for encoding, by_change in right.items():
        for change, of_change in by_change.items():
            for metric, members in levels.items():
                yield from rows(name, encoding, *change, metric, of_change[:, members].mean(axis=1))
            if change == ("none", 0) and encoding != "solver":
                correlation = standardise(of_change) @ standardise(complexity.astype(np.float64))
                yield from rows(name, encoding, *change, "complexity_correlation", correlation)
    if unchanged.shape[1] == PUBLISHED_ORDER**2:
        human = artifacts.read_csv(root / HUMAN).set_index("condition").accuracy_mean
        accuracy = {f"accuracy_{level}": human[level.title()] for level in COMPLEXITIES}
        for metric, value in {"accuracy": human.mean(), **accuracy}.items():
            yield from rows(name, "people", "none", 0, metric, np.array([value]))


def perturb_frames(
    name: str, settings: Params, root: Path, data: Arrays, where: torch.device
) -> Iterator[Row]:
    """Error of the models where noise is added to what they see."""
    task = load_task(name, settings, data, where)
    batch = restore.sample_examples(task, "validation", MOST_FRAMES)
    for encoding, model in restore.restore_cells(settings, root, name, task, where):
        for std in NOISE:
            random = generator(settings.seed, name, "interventions", "noise")
            noisy = Batch(inputs.add_noise(batch.inputs, std, random), batch.targets, batch.hidden)
            score = restore.score_each(model, task, noisy).mean(axis=1)
            yield from rows(name, encoding, "noise", std, task.metric, score)


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
