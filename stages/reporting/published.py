"""Our puzzles' accuracies beside the published ones, and what did not reproduce."""

from itertools import combinations

import pandas as pd

from stages.measures import statistics
from stages.measures.statistics import Summary
from stages.parameters.params import Architecture
from stages.reporting.inputs import Inputs
from stages.reporting.parts import ESTIMATE, Column, Section, Table
from stages.reporting.prose import fill_in, write_section
from stages.tasks.grid.facts import PUBLISHED_ORDER, Settings

SPLITS = {"train": "train", "test_iid": "test", "validation_original": "validation"}
FIXED = {"sinusoidal_nd"}  # published schemes without a sigma
BESIDE = [
    *(Column("label", "encoding"), Column("split", "split"), Column("condition", "complexity"), *ESTIMATE),
    *(Column("published", "published mean", 3), Column("published_n", "published n", 0)),
    *(Column("difference", "ours \u2212 published", 3), Column("inside", "published in our interval")),
]
PAIRS = [
    *(Column("a", "a"), Column("b", "b"), Column("published", "published a \u2212 b", 3)),
    Column("published_low", "95 % interval", 3, high="published_high"),
    *(Column("difference", "ours a \u2212 b", 3), Column("low", "95 % interval", 3, high="high")),
    *(Column("n", "n", 0), Column("verdict", "verdict")),
]


def section(inputs: Inputs) -> Section:
    beside, pairs = compare_means(inputs), compare_orders(inputs)
    texts = fill_in(
        "published",
        known=beside.dropna(subset="inside"),
        pairs=pairs,
        epochs=inputs.settings.training("grid").epochs if len(beside) else 0,
    )
    tables = [
        Table("beside_the_published", texts["means"], beside, BESIDE),
        Table("order_of_encodings", texts["orders"], pairs, PAIRS),
    ]
    return write_section(texts, tables)


def match_published(inputs: Inputs) -> pd.DataFrame:
    """Rows of the published table with the `encoding` of ours that is the same scheme and sigma.

    None where there are no puzzles of the published order.
    """
    published, settings = inputs.tables["lst_published_accuracy"], inputs.settings
    if "grid" not in settings.tasks or settings.section("grid", Settings).order != PUBLISHED_ORDER:
        return published.iloc[:0].assign(encoding="")
    configurations = {name: settings.configuration("grid", name) for name in settings.configurations("grid")}
    ours = [(name, "learned", sigma) for name, sigma in inputs.sigmas.get("grid", {}).items()]
    ours += [
        (name, configuration.scheme, float("nan"))
        for name, configuration in configurations.items()
        if configuration.scheme in FIXED
        and not configuration.settings
        and configuration.architecture == Architecture()
    ]
    names = pd.DataFrame(ours, columns=["encoding", "scheme", "init_std"]).astype({"init_std": float})
    return published.merge(names, on=["scheme", "init_std"])


def compare_means(inputs: Inputs) -> pd.DataFrame:
    """A row per published number that this run has too, validation first."""
    ours = inputs.tables["intervals"]
    ours = ours[(ours.task == "grid") & ours.metric.str.startswith("accuracy")]
    condition = ours.metric.str.removeprefix("accuracy").str.removeprefix("_").replace("", "all")
    ours = ours.assign(condition=condition)
    published = match_published(inputs)
    published = published.assign(split=published.split.map(SPLITS))
    published = published.rename(columns={"mean": "published", "n_seeds": "published_n"})
    keys = ["encoding", "split", "condition"]
    rows = ours.merge(published[[*keys, "published", "published_n"]], on=keys)
    inside = (rows.low <= rows.published) & (rows.published <= rows.high)
    rows["inside"] = inside.map({True: "yes", False: "no"}).where(rows.low.notna(), None)
    rows["difference"] = rows["mean"] - rows.published
    rows["label"] = inputs.labels(rows)
    first = list(SPLITS.values())[::-1]
    return rows.sort_values("split", key=lambda split: split.map(first.index), kind="stable")


def compare_orders(inputs: Inputs) -> pd.DataFrame:
    """A row per pair of encodings with published means: their published and our paired difference."""
    rows = match_published(inputs)
    rows = rows[(rows.split == "validation_original") & (rows.condition == "all")]
    known = rows.set_index("encoding")
    runs = inputs.tables["runs"]
    runs = runs[(runs.task == "grid") & (runs.split == "validation")]
    pairs = statistics.compare(runs, list(combinations(known.index, 2)), "accuracy", "published")
    theirs = [subtract_published(known.loc[a], known.loc[b]) for a, b in zip(pairs.a, pairs.b, strict=True)]
    pairs = pairs.join(
        pd.DataFrame(theirs, columns=["published", "published_low", "published_high"], dtype=float)
    )
    ours = zip(pairs.low, pairs.high, strict=True)
    pairs["verdict"] = [judge_order(of[1:], own) for of, own in zip(theirs, ours, strict=True)]
    for side in ("a", "b"):
        pairs[side] = inputs.labels(pairs, side)
    return pairs[[column.name for column in PAIRS] + ["high", "published_high"]]


def subtract_published(a: pd.Series, b: pd.Series) -> tuple[float, float, float]:
    """Difference of two published means, with Welch's 95 % interval."""
    first, second = (Summary(side["mean"], side.sd, side.n_seeds) for side in (a, b))
    return statistics.welch_interval(first, second)


def judge_order(published: tuple[float, float], ours: tuple[float, float]) -> str:
    """Of two intervals [low, high] of a difference: whether both leave 0 out, and on the same side."""
    signs = [int(low > 0) - int(high < 0) for low, high in (published, ours)]
    if not signs[0]:
        return "not settled by the published seeds"
    return {signs[0]: "same", 0: "undecided", -signs[0]: "opposite"}[signs[1]]
