"""Scores and alignment of what is compared, under one variation of the settings.

The project's commands run in a scratch folder beside the results, which has its own params.yaml. An
interrupted run continues there: what a command has written is whole, and training has its checkpoints.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pandas as pd
import yaml

from stages import check_configurations, evaluate
from stages.files import artifacts, cells
from stages.measures import tables
from stages.measures.alignment import permutations
from stages.parameters import params
from stages.parameters.params import Params
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import DATA, TaskFacts, find_facts
from stages.training.checkpoint import fingerprint
from stages.variations.changes import RESULTS, Values, apply_variation, load_variations, with_absolute_files

SCRATCH = RESULTS.with_name(f".{RESULTS.name}")  # hidden from dvc by .dvcignore
CODE = Path(__file__).parents[1]
COLUMNS = ["scale", "variation", "task", "configuration", "seed", "split", "metric", "value"]

Step = tuple[list[str], Path]  # a command, module first, and what it writes


def list_steps(facts: TaskFacts, configurations: list[str]) -> list[list[Step]]:
    """Steps from data to scores: list after list; the steps of one list may run at the same time."""
    task = facts.name
    make_data = [([facts.made_by], DATA / task)] if facts.made_by else []
    training = [
        (["stages.train", "--task", task, "--configuration", name], cells.MODELS / task / name)
        for name in configurations
    ]
    return [
        [*make_data, (["stages.check_configurations"], check_configurations.CHECKED)],
        training,
        [(["stages.evaluate", "--task", task], evaluate.SCORES / f"{task}.csv")],
    ]


def prepare_folder(folder: Path, given: Sequence[Path], root: Path, text: str, files: Sequence[Path]) -> None:
    """Make `folder` a project: params.yaml with that text, and links to the files that the task is given.

    Results of the same run (same parameters, code and files that params.yaml names) stay there; of another
    run they are removed.
    """
    mark = folder / "run"
    read = [file for path in given for file in (root / path, *(root / path).rglob("*")) if file.is_file()]
    same_run = fingerprint([text], [*CODE.rglob("*.py"), *read, *files])
    if not mark.exists() or mark.read_text() != same_run:
        shutil.rmtree(folder, ignore_errors=True)
    for path in given:
        link = folder / path
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(artifacts.require(root / path, "stages.tasks.recordings.fetch").resolve())
    artifacts.write_bytes(folder / params.FILE, text.encode())
    artifacts.write_bytes(mark, same_run.encode())


def carry_out(folder: Path, step: Step) -> None:
    """Run a command in `folder` unless its output exists; ValueError where it fails."""
    command, made = step
    if not (folder / made).exists():
        environment = os.environ | {"PYTHONPATH": str(CODE.parent)}
        done = subprocess.run([sys.executable, "-m", *command], cwd=folder, env=environment)
        if done.returncode:
            raise ValueError(f"{folder}: `{' '.join(command)}` failed with the message above")


def collect(facts: TaskFacts, settings: Params, folder: Path) -> pd.DataFrame:
    """Scores, and Spearman alignment of tables, blocks side by side, of the project in the folder.

    Columns encoding, seed, split, metric, value; alignment is `alignment_<reference>` of the split `tables`.
    """
    task = facts.name
    scores = artifacts.read_csv(folder / evaluate.SCORES / f"{task}.csv")
    positions = facts.positions(settings, facts.read_data(folder))
    stored = cells.read_tables(folder, task, settings.configurations(task))
    # only the value is kept: one shuffle is enough
    shuffles = permutations(positions.n_tokens, 1, generator(settings.seed, task, "permutations"))
    compared = tables.compare(stored, positions, shuffles)
    aligned = compared[(compared.block == "all") & (compared.measure == "spearman")]
    return pd.concat([scores, aligned.assign(split="tables", metric="alignment_" + aligned.reference)])


def vary(root: Path, task: str, name: str) -> None:
    """Run the variation and write its table; its folder is removed."""
    facts, variations = find_facts(task), load_variations(root)
    params.load(root / params.FILE)  # a mistake in the file is one line
    values: Values = params.read(root / params.FILE)
    varied, files = with_absolute_files(apply_variation(values, variations, task, name), root.resolve())
    settings = params.from_values(varied)
    facts.check_parameters(settings)  # a mistaken change is one line too, before anything runs
    settings.model(task), settings.training(task)
    folder = root / SCRATCH / task / name
    prepare_folder(folder, facts.given, root, yaml.safe_dump(varied, sort_keys=False), files)
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # a command is a process of its own
        for steps in list_steps(facts, settings.configurations(task)):
            list(pool.map(partial(carry_out, folder), steps))
    table = collect(facts, settings, folder)
    first = next(iter(variations.compared))
    described = {"scale": settings.scale, "variation": name, "task": task}
    table = table.assign(configuration=table.encoding.replace("focus", first), **described)
    artifacts.write_csv(root / RESULTS / task / f"{name}.csv", table[COLUMNS])
    shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=params.task_names())
    parser.add_argument("--name", required=True, help="of the variation in stages/variations/params.yaml")
    chosen = parser.parse_args()
    vary(Path(), chosen.task, chosen.name)


if __name__ == "__main__":
    run(main)
