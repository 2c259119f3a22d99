"""Our accuracies beside the published ones, runs beside each other, how tables align: reports/published."""

from math import nan
from pathlib import Path
from typing import Any

import pandas as pd
from scipy.stats import t

from stages.files import artifacts
from stages.measures import statistics
from stages.measures.statistics import Summary
from stages.published.settings import load_published
from stages.running.command import run

ACCURACY = Path("data/reference/lst_published_accuracy.csv")
CURVES = Path("data/reference/lst_published_curves.csv")
FOLDER = Path("reports/published")
SCORES, ALIGNED = FOLDER / "scores.csv", FOLDER / "aligned.csv"  # of each seed
BESIDE, PAIRS, ALIGNED_RUNS = FOLDER / "beside.csv", FOLDER / "pairs.csv", FOLDER / "aligned_runs.csv"
BY_THEN = FOLDER / "by_then.csv"
THEIRS = {"mean": "published", "sd": "published_sd", "n_seeds": "published_n"}  # beside ours
SPLITS = {"train": "train", "test_iid": "test", "validation_original": "validation"}
# a minus b on the same seeds: smaller against larger sigma
ORDERS = [
    ("learned_s020", "learned_s100"),
    ("learned_s020", "learned_s150"),
    ("learned_s020", "learned_s200"),
    ("learned_s100", "learned_s150"),
    ("learned_s100", "learned_s200"),
    ("learned_s150", "learned_s200"),
]
# what the smallest sigmas, fixed tables, dropout and precision do; both of a pair in one precision, but for
# none and the last two
OTHERS = [
    ("learned_s010", "learned_s020_fp32"),
    ("learned_s050", "learned_s020_fp32"),
    ("sinusoidal_nd", "learned_s020"),
    ("sinusoidal_nd_dropout", "sinusoidal_nd"),
    ("mds", "learned_s020_fp32"),
    ("mds", "random_fixed"),
    ("random_fixed", "learned_s020_fp32"),
    ("random_fixed", "none"),
    ("learned_s020", "learned_s020_fp32"),
    ("learned_s200", "learned_s200_fp32"),
]


def take_last(scores: pd.DataFrame) -> pd.DataFrame:
    """Each seed's accuracies after its last epoch."""
    last = scores.groupby(["run", "seed"]).epoch.transform("max")
    return scores[(scores.epoch == last) & scores.accuracy.notna()]


def compare_means(scores: pd.DataFrame, published: pd.DataFrame, margin: float) -> pd.DataFrame:
    """A row per run, split and condition; beside it what was published of the same scheme and sigma.

    Welch's t for unequal variances: the 95 % interval of the difference, and the larger p of two one-sided
    tests that it lies within the margin (Schuirmann 1987, doi 10.1007/BF01068419).
    """
    by = ["run", "scheme", "init_std", "dropout", "precision", "split", "condition"]
    ours = take_last(scores).groupby(by, sort=False, dropna=False).accuracy
    table = ours.agg(n="count", mean="mean", sd="std", median="median").reset_index()
    theirs = published.assign(split=published.split.map(SPLITS))
    keys = ["scheme", "init_std", "split", "condition"]
    table = table.merge(theirs.rename(columns=THEIRS)[[*keys, *THEIRS.values()]], "left", keys)
    tested = [test_equivalence(row, margin) for row in table.itertuples()]
    return table.join(pd.DataFrame(tested, columns=["difference", "low", "high", "p_equivalent"]))


def compare_by_then(scores: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """A row per published run and split: ours at the end beside theirs at `epoch`, not after all 4000.

    That is the first epoch of the published curve by which all our seeds had ended. Interval: Welch's, of the
    difference.
    """
    last = take_last(scores)
    ends = last[last.condition == "all"]
    by = ["run", "scheme", "init_std", "dropout", "precision", "split"]
    ours = ends.groupby(by, sort=False, dropna=False).agg(
        **{"n": ("accuracy", "count"), "mean": ("accuracy", "mean"), "sd": ("accuracy", "std")},
        ended=("epoch", "max"),
    )
    theirs = curves.drop(columns="median").rename(columns=THEIRS)
    rows = ours.reset_index().merge(theirs, on=["scheme", "init_std", "split"])
    rows = rows[rows.epoch >= rows.ended].sort_values("epoch").drop_duplicates(["run", "split"]).sort_index()
    tested = [statistics.welch_interval(*summarise(row)) for row in rows.itertuples()]
    intervals = pd.DataFrame(tested, columns=["difference", "low", "high"], index=rows.index)
    return rows.drop(columns="ended").join(intervals)


def summarise(row: Any) -> tuple[Summary, Summary]:
    """Ours and theirs of a row. Seeds that are all alike tell no spread: it is NaN, and so is every test."""
    ours = Summary(row.mean, row.sd or nan, row.n)
    return ours, Summary(row.published, row.published_sd or nan, row.published_n)


def test_equivalence(row: Any, margin: float) -> tuple[float, float, float, float]:
    """Difference of a row's means with its interval, and the p of equivalence; NaN where one is missing."""
    ours, theirs = summarise(row)
    difference, error, freedom = statistics.welch(ours, theirs)
    p = float(t.sf((margin - abs(difference)) / error, freedom))
    return *statistics.welch_interval(ours, theirs), p


def compare_runs(scores: pd.DataFrame) -> pd.DataFrame:
    """Differences on validation puzzles between runs that were trained, with q within each family.

    q_all: the same with all that more than one seed has as one family.
    """
    ends = take_last(scores).query("split == 'validation' and condition == 'all'")
    runs = ends.rename(columns={"run": "encoding", "accuracy": "value"})
    runs = runs.assign(task="grid", metric="accuracy")
    families = {"order of σ": ORDERS, "others": OTHERS}
    tests = [statistics.compare(runs, pairs, "accuracy", family) for family, pairs in families.items()]
    adjusted = statistics.adjust(pd.concat(tests))
    tested = adjusted[adjusted.n > 1].assign(family="all")
    return adjusted.assign(q_all=statistics.adjust(tested).q_value.set_axis(tested.index))


def summarise_alignment(aligned: pd.DataFrame) -> pd.DataFrame:
    """Spearman alignment of tables by run, state and true distance, over seeds: n, mean, low, high."""
    return statistics.intervals(aligned[aligned.measure == "spearman"], ["run", "state", "reference"])


def main(root: Path = Path()) -> None:
    scores = artifacts.read_csv(artifacts.require(root / SCORES, "stages.published.gather"))
    published = artifacts.read_csv(root / ACCURACY)
    beside = compare_means(scores, published, load_published(root).margin)
    artifacts.write_csv(root / BESIDE, beside)
    artifacts.write_csv(root / BY_THEN, compare_by_then(scores, artifacts.read_csv(root / CURVES)))
    artifacts.write_csv(root / PAIRS, compare_runs(scores))
    artifacts.write_csv(root / ALIGNED_RUNS, summarise_alignment(artifacts.read_csv(root / ALIGNED)))


if __name__ == "__main__":
    run(main)
