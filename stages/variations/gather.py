"""One table of differences over seeds between the configurations compared, under every variation."""

from itertools import combinations
from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.measures import statistics
from stages.parameters import params
from stages.running.command import run
from stages.tasks.facts import TaskFacts, find_facts
from stages.variations.changes import RESULTS, compared_in, load_variations

TABLE = Path("reports/tables/variations.csv")
COLUMNS = ["scale", "task", "variation", "split", *statistics.COLUMNS[2:]]
ALIGNED = "alignment_"  # before the reference's name, in the column metric
GROUPED = "alignment_group_"
GROUPS = "groups"  # in the column split: one configuration's alignment with two groupings, side by side


def compare_pairs(facts: TaskFacts, scores: pd.DataFrame, compared: list[str]) -> pd.DataFrame:
    """The first configuration compared beside each other one, columns `COLUMNS` from split on.

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
    return pd.concat(tests)[COLUMNS[3:]]


def compare_groups(scores: pd.DataFrame, compared: list[str]) -> pd.DataFrame:
    """Alignment with one grouping beside another, such as rows and columns; columns as above.

    a and b are the groupings, the metric names the configuration. No row where tokens are not grouped twice.
    """
    runs = scores[scores.metric.str.startswith(GROUPED)]
    runs = runs.assign(encoding=runs.metric.str.removeprefix(GROUPED), metric=ALIGNED + runs.configuration)
    pairs = list(combinations(runs.encoding.unique(), 2))
    if not pairs:
        return pd.DataFrame(columns=COLUMNS[3:])
    tests = [statistics.compare(runs, pairs, f"{ALIGNED}{name}", "variation") for name in compared]
    return pd.concat(tests).assign(split=GROUPS)[COLUMNS[3:]]


def main(root: Path = Path()) -> None:
    settings, variations = params.load(root / params.FILE), load_variations(root)
    tests = []
    for task, name in ((task, name) for task, changes in variations.changes.items() for name in changes):
        path = root / RESULTS / task / f"{name}.csv"
        if not path.exists():
            print(f"{task} {name}: left out, {path} not found; `make variations` runs it")
            continue
        scores = artifacts.read_csv(path)
        if (scores.scale != settings.scale).any():
            print(f"{task} {name}: left out, its scale is {scores.scale.iloc[0]}, not {settings.scale}")
            continue
        compared = list(compared_in(variations, task, name))
        for pairs in (compare_pairs(find_facts(task), scores, compared), compare_groups(scores, compared)):
            if len(pairs):
                tests.append(pairs.assign(scale=settings.scale, task=task, variation=name))
    if not tests:
        raise ValueError(f"{RESULTS} holds no variation that is asked for; run `make variations`")
    artifacts.write_csv(root / TABLE, pd.concat(tests)[COLUMNS])


if __name__ == "__main__":
    run(main)
