"""One variation: differences over seeds between what is compared, and errors over floors, in git.

So that a variation trained elsewhere counts too.
"""

import argparse
from itertools import combinations
from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.measures import statistics
from stages.running.command import run
from stages.tasks.facts import TaskFacts, find_facts
from stages.variations.changes import RESULTS, WHOSE, compared_in, load_variations

PAIRS, OVER_FLOOR = Path("reports/tables/variations/pairs"), Path("reports/tables/variations/over_floor")
LABELS = ["scale", "task", "variation"]
PAIRED = ["split", *statistics.COLUMNS[2:]]
COLUMNS = [*LABELS, *PAIRED, *WHOSE]
FLOOR = "floor_gaussian"
FLOOR_COLUMNS = [*LABELS, *WHOSE, "configuration", "floor", *statistics.INTERVALS[4:]]
ALIGNED = "alignment_"  # before the reference's name, in the column metric
GROUPED = "alignment_group_"
GROUPS = "groups"  # in the column split: one configuration's alignment with two groupings, side by side


def compare_pairs(facts: TaskFacts, scores: pd.DataFrame, compared: list[str]) -> pd.DataFrame:
    """The first configuration compared beside each other one, columns `PAIRED`.

    The task's score, the same in training, and the alignment that judges the task.
    scores: rows of one variation's table of scores and alignment.
    """
    metric = facts.score.metric
    headlines = [(facts.score.split, metric), ("train", metric)]
    if reference := facts.judging_reference({name.removeprefix(ALIGNED) for name in scores.metric}):
        headlines.append(("tables", f"{ALIGNED}{reference}"))
    pairs = [(compared[0], other) for other in compared[1:]]
    runs = scores.rename(columns={"configuration": "encoding"})
    tests = [
        statistics.compare(runs[runs.split == split], pairs, metric, "variation").assign(split=split)
        for split, metric in headlines
    ]
    return pd.concat(tests)[PAIRED]


def compare_groups(scores: pd.DataFrame, compared: list[str]) -> pd.DataFrame:
    """Alignment with one grouping beside another, such as rows and columns; columns as above.

    a and b are the groupings, the metric names the configuration. No row where tokens are not grouped twice.
    """
    runs = scores[scores.metric.str.startswith(GROUPED)]
    runs = runs.assign(encoding=runs.metric.str.removeprefix(GROUPED), metric=ALIGNED + runs.configuration)
    pairs = list(combinations(runs.encoding.unique(), 2))
    if not pairs:
        return pd.DataFrame(columns=PAIRED)
    tests = [statistics.compare(runs, pairs, f"{ALIGNED}{name}", "variation") for name in compared]
    return pd.concat(tests).assign(split=GROUPS)[PAIRED]


def compare_with_floor(facts: TaskFacts, scores: pd.DataFrame) -> pd.DataFrame:
    """Each configuration's score minus the Gaussian floor's: split, configuration, floor, n, mean, low, high.

    Means over seeds with intervals; no row where there is no such floor.
    """
    rows = facts.score.rows(scores, facts.name)
    floor = rows[rows.configuration == FLOOR].value
    if not len(floor):
        return pd.DataFrame(columns=["split"])
    models = rows[~rows.configuration.str.startswith("floor_")]
    over = models.assign(value=models.value - floor.iloc[0])
    return statistics.intervals(over, ["split", "configuration"]).assign(floor=floor.iloc[0])


def name_people(rows: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Rows with a split, and whose data that is of."""
    return rows.merge(scores.reindex(columns=["split", *WHOSE]).drop_duplicates(), "left", "split")


def compare(root: Path, task: str, name: str) -> None:
    """Write both tables of one variation; a task without a Gaussian floor has no rows in the second."""
    facts, compared = find_facts(task), list(compared_in(load_variations(root), task, name))
    path = Path(task, f"{name}.csv")
    scores = artifacts.read_csv(artifacts.require(root / RESULTS / path, "stages.variations.vary"))
    labels = dict(zip(LABELS, (scores.scale.iloc[0], task, name), strict=True))
    parts = (compare_pairs(facts, scores, compared), compare_groups(scores, compared))
    pairs = pd.concat([name_people(part, scores) for part in parts if len(part)]).assign(**labels)
    over_floor = name_people(compare_with_floor(facts, scores), scores).assign(**labels)
    artifacts.write_csv(root / PAIRS / path, pairs[COLUMNS])
    artifacts.write_csv(root / OVER_FLOOR / path, over_floor.reindex(columns=FLOOR_COLUMNS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True)
    parser.add_argument("--name", required=True, help="of the variation in stages/variations/params.yaml")
    chosen = parser.parse_args()
    compare(Path(), chosen.task, chosen.name)


if __name__ == "__main__":
    run(main)
