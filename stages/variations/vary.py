"""Scores and alignment of what is compared, under one variation of the settings.

The project's stages run in a scratch folder beside the results, which has its own params.yaml. An
interrupted run continues there: what a stage has written is whole, and training has its checkpoints.
"""

import argparse
import shutil
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from stages import check_configurations, evaluate
from stages.files import artifacts, cells
from stages.files.hashing import list_files
from stages.measures import tables
from stages.measures.alignment import permutations
from stages.parameters import params
from stages.parameters.params import Params
from stages.randomness.streams import generator
from stages.running.command import end_with_parent, run
from stages.tasks.facts import DATA, TaskFacts, find_facts
from stages.train import train
from stages.training.checkpoint import fingerprint
from stages.variations.boxes import BOXES
from stages.variations.changes import (
    RESULTS,
    WHOSE,
    apply_variation,
    compared_in,
    load_variations,
    with_absolute_files,
)

SCRATCH = RESULTS.with_name(f".{RESULTS.name}")  # hidden from dvc by .dvcignore
CODE = Path(__file__).parents[1]
GROUP = "group_"  # before a group's name, as a reference
COLUMNS = ["scale", "variation", "task", "configuration", "seed", "split", "metric", "value", *WHOSE]


def prepare_folder(parent: Path, given: Sequence[Path], root: Path, text: str, files: Sequence[Path]) -> Path:
    """Make a project in `parent`: params.yaml with that text, and links to the files that the task is given.

    The folder of the same run (same parameters, code and files that params.yaml names) is used again; that of
    another run is removed.
    """
    sources = {path: artifacts.require(root / path, "stages.tasks.recordings.read") for path in given}
    read = [file for source in sources.values() for file in list_files(source)]
    folder = parent / fingerprint([text], [*CODE.rglob("*.py"), *read, *files])
    if not folder.exists():
        shutil.rmtree(parent, ignore_errors=True)
    for path, source in sources.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).unlink(missing_ok=True)
        (folder / path).symlink_to(source.resolve())
    artifacts.write_bytes(folder / params.FILE, text.encode())
    return folder


def collect(facts: TaskFacts, settings: Params, folder: Path) -> pd.DataFrame:
    """Scores, and Spearman alignment of tables, blocks side by side, of the project in the folder.

    Columns encoding, seed, split, metric, value, those of WHOSE; alignment is `alignment_<reference>` of the
    split `tables`, with the groups of the task's tokens (same or not) among the references as `group_<name>`;
    boxes group the cells of a square beside its rows and columns.
    """
    task = facts.name
    scores = artifacts.read_csv(folder / evaluate.SCORES / f"{task}.csv")
    data = facts.read_data(folder)
    positions = facts.positions(settings, data)
    groups = facts.groups(data)
    if "rows" in groups and positions.n_tokens == BOXES.size:
        groups |= {"boxes": BOXES}
    apart = {f"{GROUP}{name}": (group[:, None] != group).astype(np.float64) for name, group in groups.items()}
    positions = replace(positions, distances=positions.distances | apart)
    stored = cells.read_tables(folder, task, settings.configurations(task))
    # only the value is kept: one shuffle is enough
    shuffles = permutations(positions.n_tokens, 1, generator(settings.seed, task, "permutations"))
    compared = tables.compare(stored, positions, shuffles)
    aligned = compared[(compared.block == "all") & (compared.measure == "spearman")]
    aligned = aligned.assign(split="tables", metric="alignment_" + aligned.reference)
    return pd.concat([scores, aligned.assign(**scores.filter(WHOSE[:1]).iloc[0])])


def vary(root: Path, task: str, name: str) -> None:
    """Run the variation and write its table; its folder is removed."""
    facts, variations = find_facts(task), load_variations(root)
    params.load(root / params.FILE)  # a mistake in the file is named as it stands there
    values = apply_variation(params.read(root / params.FILE), variations, task, name)
    varied, files = with_absolute_files(values, root.resolve())
    settings = params.from_values(varied)
    text = yaml.safe_dump(varied, sort_keys=False)
    folder = prepare_folder(root / SCRATCH / task / name, facts.given, root, text, files)
    check_configurations.check(settings)  # a mistaken change is one line too, before anything runs
    if facts.made_by and not (folder / DATA / task).exists():
        import_module(facts.made_by).main(folder)
    configurations = settings.configurations(task)
    left = [name for name in configurations if not (folder / cells.MODELS / task / name).exists()]
    # side by side, to end with this process; CUDA bears no fork
    with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=end_with_parent) as pool:
        list(pool.map(partial(train, folder, task), ([name] for name in left)))
    evaluate.evaluate(folder, task)
    first = next(iter(compared_in(variations, task, name)))
    table = collect(facts, settings, folder)
    table = table.assign(configuration=table.encoding.replace("focus", first), task=task)
    table = table.assign(scale=settings.scale, variation=name)
    artifacts.write_csv(root / RESULTS / task / f"{name}.csv", table.reindex(columns=COLUMNS))
    shutil.rmtree(folder.parent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=params.task_names())
    parser.add_argument("--name", required=True, help="of the variation in stages/variations/params.yaml")
    chosen = parser.parse_args()
    vary(Path(), chosen.task, chosen.name)


if __name__ == "__main__":
    run(main)
