"""Seconds of training until σ = 0.2 solves 0.9 of the validation puzzles, published size: by name alone.

This project in bfloat16, compiled, beside the plain loop as published: the same puzzles, sizes, learning rate
and spread of the initial table, one seed and one thread each. Validation does not count; of compiling that of
the last, smaller batch does.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import torch
from plain import PlainGrid
from workloads import seconds

from stages.parameters import params
from stages.parameters.params import Configuration, Params
from stages.randomness.streams import Replicates
from stages.reviewing.provenance import describe_machine
from stages.tasks.facts import find_facts
from stages.tasks.grid import generate
from stages.tasks.grid.task import Grid, load
from stages.training import device
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import Forward, compile_forward
from stages.training.optimisers import optimiser_for
from stages.training.predict import mean_score

SIGMA, TO_REACH, MOST_EPOCHS = 0.2, 0.9, 100
Epoch = Iterator[tuple[float, float]]
"""Seconds of each further epoch, and the validation accuracy after it."""


def ours(task: Grid, settings: Params) -> Epoch:
    replicates, training = Replicates(0, "bench", range(1)), settings.training("grid")
    configuration = Configuration("pe", "learned", {"init_std": SIGMA})
    model = assemble(task, configuration, settings.model("grid"), replicates)
    inputs = next(task.epoch(replicates, 1, training.batch_size)).inputs
    forward = compile_forward(Forward(model, "bf16"), inputs, Path())
    optimiser = optimiser_for(model, training)
    for number in range(1, MOST_EPOCHS + 1):
        start = perf_counter()
        for batch in task.epoch(replicates, number, training.batch_size):
            step(forward, task, batch, optimiser, 1)
        yield perf_counter() - start, mean_score(model, task, "validation").item()


def published(task: Grid, settings: Params) -> Epoch:
    training = settings.training("grid")
    torch.manual_seed(0)
    loop = PlainGrid(task, settings.model("grid"), training.batch_size)
    loop.optimiser.param_groups[0]["lr"] = training.learning_rate
    for block in loop.model.blocks:
        block.get_parameter("table").data *= SIGMA
    shown, answers = loop.one_hot(task.puzzles["validation"]), task.answers["validation"]
    for _ in range(MOST_EPOCHS):
        took_s = seconds(lambda: loop.steps(len(loop)))
        with torch.no_grad():
            yield took_s, (loop.model(shown)[:, -1].argmax(-1) == answers).float().mean().item()


def reach(kind: str, root: Path) -> dict[str, Any]:
    """Seconds and epochs until the score was reached, None where it never was, and every score on the way."""
    where = device.choose_device("cpu")
    torch.set_num_threads(1)
    settings = params.load(root / params.FILE)
    task = load(settings, find_facts("grid").read_data(root), where)
    took_s, accuracies = 0.0, [0.0]
    for epoch_s, accuracy in ours(task, settings) if kind == "ours" else published(task, settings):
        took_s, accuracies = took_s + epoch_s, [*accuracies, accuracy]
        print(f"{kind}: {accuracy:.3f} after {len(accuracies) - 1} epochs, {took_s:.0f} s", flush=True)
        if accuracy >= TO_REACH:
            break
    reached = accuracies[-1] >= TO_REACH
    found = {"epochs": len(accuracies) - 1, "accuracies": accuracies[1:]}
    return {"seconds": took_s if reached else None} | found


def main() -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        settings = params.read(Path(params.FILE)) | {"scale": "paper"}
        (root / params.FILE).write_text(json.dumps(settings))  # JSON is YAML too
        for path in find_facts("grid").given:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            copyfile(path, root / path)
        generate.main(root)
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            ends = {kind: pool.submit(reach, kind, root) for kind in ("ours", "published")}
            found = {kind: end.result() for kind, end in ends.items()}
    conditions = {"machine": describe_machine(), "init_std": SIGMA, "validation_accuracy": TO_REACH}
    text = json.dumps(conditions | found, indent=2) + "\n"
    Path("reports/benchmarks/time_to_score_cpu.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
