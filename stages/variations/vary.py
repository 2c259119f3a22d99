"""Scores and alignment of what is compared, under one variation of the settings.

The project's own commands run in a scratch folder beside the results, with a params.yaml of its own. A run
that was interrupted goes on there: what a command has written is whole, and training has its checkpoints.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from functools import partial
from pathlib import Path

import pandas as pd
import yaml

from stages import check_configurations, evaluate, scoring, tokens
from stages.files import artifacts
from stages.measures import tables
from stages.measures.alignment import permutations
from stages.parameters import params
from stages.randomness.streams import generator
from stages.running.command import run
from stages.training.checkpoint import fingerprint
from stages.variations.changes import changed, files_named, from_here

RESULTS = Path("data/variations")
SCRATCH = RESULTS.with_name(f".{RESULTS.name}")  # hidden from dvc by .dvcignore
GIVEN = {  # what a task reads beside what its own commands write
    "grid": [],
    "network": [],
    "recordings": [Path("data/raw/recordings"), Path("data/reference/aal2_regions.csv")],
}
CODE = Path(__file__).parent
COLUMNS = ["scale", "variation", "task", "configuration", "seed", "split", "metric", "value"]

Step = tuple[list[str], Path]  # a command, module first, and what it writes


def steps(task: str, configurations: list[str]) -> list[list[Step]]:
    """From data to scores, one list after the other; those of one list may run at once."""
    data, made_by = scoring.DATA[task]
    trained = [
        (["stages.train", "--task", task, "--configuration", name], evaluate.MODELS / task / name)
        for name in configurations
    ]
    return [
        [
            ([f"stages.{made_by}"], data),
            (["stages.check_configurations"], check_configurations.CHECKED),
        ],
        trained,
        [(["stages.evaluate", "--task", task], evaluate.SCORES / f"{task}.csv")],
    ]


def prepared(folder: Path, task: str, text: str, own: Sequence[Path]) -> None:
    """A project of its own in `folder`: params.yaml with that text, and what the task is given.

    What stands there of the same run, by parameters, code, and the files that go into it, `own` (named in
    params.yaml) among them, stays; anything else is removed.
    """
    mark = folder / "run"
    files = [file for path in GIVEN[task] for file in (path, *path.rglob("*")) if file.is_file()]
    same_run = fingerprint([text], [*CODE.rglob("*.py"), *files, *own])
    if not mark.exists() or mark.read_text() != same_run:
        shutil.rmtree(folder, ignore_errors=True)
    for path in GIVEN[task]:
        link = folder / path
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(artifacts.require(path, "fetch_recordings").resolve())
    artifacts.write_bytes(folder / "params.yaml", text.encode())
    artifacts.write_bytes(mark, same_run.encode())


def carry_out(folder: Path, step: Step) -> None:
    """Run a command in `folder` unless it was; ValueError where it fails, which says why itself."""
    command, made = step
    if not (folder / made).exists():
        environment = os.environ | {"PYTHONPATH": str(CODE.parent)}
        done = subprocess.run([sys.executable, "-m", *command], cwd=folder, env=environment)
        if done.returncode:
            raise ValueError(f"{folder}: `{' '.join(command)}` failed, as said above")


def results(task: str, settings: params.Params) -> pd.DataFrame:
    """Scores, and Spearman alignment of tables, blocks side by side, of the project in the present folder.

    Columns encoding, seed, split, metric, value; alignment is `alignment_<reference>` of the split `tables`.
    """
    scores = artifacts.read_csv(evaluate.SCORES / f"{task}.csv")
    positions, stored = tokens.positions(task, settings), tokens.trained_tables(task, settings)
    # the value alone is kept, and one shuffle costs least
    shuffles = permutations(positions.n_tokens, 1, generator(settings.seed, task, "permutations"))
    compared = tables.compare(stored, positions, shuffles)
    aligned = compared[(compared.block == "all") & (compared.measure == "spearman")]
    return pd.concat([scores, aligned.assign(split="tables", metric="alignment_" + aligned.reference)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=sorted(GIVEN))
    parser.add_argument("--name", required=True, help="of the variation in params.yaml")
    chosen = parser.parse_args()
    params.load()  # a mistake in the file is said in one line
    values = yaml.safe_load(Path("params.yaml").read_text())
    varied = from_here(changed(values, chosen.task, chosen.name), Path.cwd())
    own = [path for path in map(Path, files_named(varied)) if path.is_file()]
    folder = SCRATCH / chosen.task / chosen.name
    prepared(folder, chosen.task, yaml.safe_dump(varied, sort_keys=False), own)
    with chdir(folder):
        settings = params.load()
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # a command is a process of its own
        for at_once in steps(chosen.task, settings.configurations(chosen.task)):
            list(pool.map(partial(carry_out, folder), at_once))
    with chdir(folder):
        found = results(chosen.task, settings)
    first = next(iter(values["variations"]["compared"]))
    named = {"scale": settings.scale, "variation": chosen.name, "task": chosen.task}
    table = found.assign(configuration=found.encoding.replace("focus", first), **named)
    artifacts.write_csv(RESULTS / chosen.task / f"{chosen.name}.csv", table[COLUMNS])
    shutil.rmtree(folder)


if __name__ == "__main__":
    run(main)
