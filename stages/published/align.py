"""Whether the table of one trained seed mirrors the square."""

from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.measures import alignment
from stages.measures.tables import join_blocks
from stages.parameters import params
from stages.published.settings import MODELS, PUZZLES, TASK
from stages.randomness.streams import generator
from stages.tasks.facts import find_facts

PERMUTATIONS = 999
COLUMNS = ["run", "seed", "reference", "measure", "value", "null_mean", "p_value"]


def align(root: Path, name: str, seed: int) -> pd.DataFrame:
    """Alignment of the blocks' tables, side by side, with true distances; no rows for runs without tables."""
    settings, facts = params.load(root / params.FILE), find_facts(TASK)
    path = root / MODELS / name / str(seed) / "tables.npz"
    rows = pd.DataFrame(columns=alignment.COLUMNS)
    if path.exists():
        positions = facts.positions(settings, artifacts.read_arrays(root / PUZZLES))
        random = generator(settings.seed, TASK, "permutations")
        shuffles = alignment.permutations(positions.n_tokens, PERMUTATIONS, random)
        table = join_blocks(artifacts.read_arrays(path)["final"][0])
        rows = alignment.align([table], positions.distances, shuffles)
    return rows.assign(run=name, seed=seed)[COLUMNS]
