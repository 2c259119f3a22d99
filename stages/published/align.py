"""Whether the table of one trained seed mirrors the square, and whether what training added to it does."""

from pathlib import Path

import numpy as np
import pandas as pd

from stages.files import artifacts
from stages.measures import alignment
from stages.measures.tables import join_blocks
from stages.parameters import params
from stages.published.settings import MODELS, PUZZLES, TASK
from stages.randomness.streams import generator
from stages.tasks.facts import find_facts

PERMUTATIONS = 999
COLUMNS = ["run", "seed", "state", "reference", "measure", "value", "null_mean", "p_value"]


def align(root: Path, name: str, seed: int) -> pd.DataFrame:
    """Alignment of the blocks' tables, side by side, with true distances; no rows for runs without tables.

    state: the table `initial` and `final`, and their difference, `added`, where training changed it. A table
    may hardly move: its alignment is then that of its first draw, which all runs of a seed share.
    """
    settings, facts = params.load(root / params.FILE), find_facts(TASK)
    path = root / MODELS / name / str(seed) / "tables.npz"
    if not path.exists():
        return pd.DataFrame(columns=COLUMNS)
    states = {state: join_blocks(stored[0]) for state, stored in artifacts.read_arrays(path).items()}
    added = states["final"] - states["initial"]
    if np.any(added):
        states["added"] = added
    positions = facts.positions(settings, artifacts.read_arrays(root / PUZZLES))
    random = generator(settings.seed, TASK, "permutations")
    shuffles = alignment.permutations(positions.n_tokens, PERMUTATIONS, random)
    rows = alignment.align(list(states.values()), positions.distances, shuffles)
    return rows.assign(run=name, seed=seed, state=rows.table.map(dict(enumerate(states))))[COLUMNS]
