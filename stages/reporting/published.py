"""Our puzzles' accuracies beside the published ones, and by rule what did not reproduce."""

from itertools import combinations

import pandas as pd

from stages.measures import statistics
from stages.parameters.params import Architecture
from stages.reporting.inputs import Inputs, called
from stages.reporting.section import ESTIMATE, Column, Section, Table
from stages.tasks.grid.facts import Settings

ORDER = 4  # of the published grid
SPLITS = {"train": "train", "test_iid": "test", "validation_original": "validation"}
FIXED = {"sinusoidal_nd"}  # published schemes without a sigma
BESIDE = [
    *(Column("called", "encoding"), Column("split", "split"), Column("condition", "complexity"), *ESTIMATE),
    *(Column("published", "published mean", 3), Column("published_n", "published n", 0)),
    *(Column("difference", "ours \u2212 published", 3), Column("inside", "published in our interval")),
]
PAIRS = [
    *(Column("a", "a"), Column("b", "b"), Column("published", "published a \u2212 b", 3)),
    *(Column("difference", "ours a \u2212 b", 3), Column("low", "95 % interval", 3, high="high")),
    *(Column("n", "n", 0), Column("verdict", "verdict")),
]
BESIDE_CAPTION = (
    "Accuracy, share of puzzles solved: our mean over n seeds with its 95 % Student t interval beside the "
    "mean of the published runs. Published is Ito et al.'s own result at full size and training."
)
PAIRS_CAPTION = (
    "Order of encodings on validation puzzles, share solved: difference of two means, ours paired by seed "
    "with its 95 % Student t interval over n seeds. Opposite: our interval lies on the other side of 0; "
    "undecided: it holds 0; same: it lies on the published side."
)


def section(inputs: Inputs) -> Section:
    beside, pairs = compared(inputs), orders(inputs)
    return Section(
        key="published",
        title="Beside the published numbers",
        question="Which published accuracies does this run reproduce, and which not?",
        paragraphs=[counted(beside), ordered(pairs)],
        tables=[
            Table("beside_the_published", BESIDE_CAPTION, beside, BESIDE),
            Table("order_of_encodings", PAIRS_CAPTION, pairs, PAIRS),
        ],
    )


def matching(inputs: Inputs) -> pd.DataFrame:
    """Rows of the published table with the `encoding` of ours that is the same scheme and sigma.

    None where the grid is not of the published order.
    """
    published = inputs.tables["lst_published_accuracy"]
    settings = inputs.settings
    configurations = {name: settings.configuration("grid", name) for name in settings.configurations("grid")}
    ours = [(name, "learned", sigma) for name, sigma in inputs.sigmas.get("grid", {}).items()]
    ours += [
        (name, one.scheme, float("nan"))
        for name, one in configurations.items()
        if one.scheme in FIXED and not one.settings and one.architecture == Architecture()
    ]
    names = pd.DataFrame(ours, columns=["encoding", "scheme", "init_std"]).astype({"init_std": float})
    if settings.section("grid", Settings).order != ORDER:
        return published.iloc[:0].assign(encoding="")
    return published.merge(names, on=["scheme", "init_std"])


def compared(inputs: Inputs) -> pd.DataFrame:
    """A row per published number that this run has too, validation first."""
    ours = inputs.tables["intervals"]
    ours = ours[(ours.task == "grid") & ours.metric.str.startswith("accuracy")]
    condition = ours.metric.str.removeprefix("accuracy").str.removeprefix("_").replace("", "all")
    ours = ours.assign(condition=condition)
    published = matching(inputs)
    published = published.assign(split=published.split.map(SPLITS))
    published = published.rename(columns={"mean": "published", "n_seeds": "published_n"})
    keys = ["encoding", "split", "condition"]
    found = ours.merge(published[[*keys, "published", "published_n"]], on=keys)
    inside = (found.low <= found.published) & (found.published <= found.high)
    found["inside"] = inside.map({True: "yes", False: "no"}).where(found.low.notna(), None)
    found["difference"] = found["mean"] - found.published
    found["called"] = [called(inputs, "grid", name) for name in found.encoding]
    first = list(SPLITS.values())[::-1]
    return found.sort_values("split", key=lambda split: split.map(first.index), kind="stable")


def orders(inputs: Inputs) -> pd.DataFrame:
    """A row per pair of encodings with published means: their published and our paired difference."""
    rows = matching(inputs)
    rows = rows[(rows.split == "validation_original") & (rows.condition == "all")]
    means = dict(zip(rows.encoding, rows["mean"], strict=True))
    runs = inputs.tables["runs"]
    runs = runs[(runs.task == "grid") & (runs.split == "validation")]
    found = statistics.compare(runs, list(combinations(means, 2)), "accuracy", "published")
    found["published"] = [means[a] - means[b] for a, b in zip(found.a, found.b, strict=True)]
    found["verdict"] = [verdict(*row) for row in zip(found.published, found.low, found.high, strict=True)]
    for side in ("a", "b"):
        found[side] = [called(inputs, "grid", name) for name in found[side]]
    return found[["a", "b", "published", "difference", "low", "high", "n", "verdict"]]


def verdict(published: float, low: float, high: float) -> str:
    """Whether our interval of the difference lies on the published side of 0."""
    if not (low > 0 or high < 0) or published == 0:
        return "undecided"
    return "same" if (low > 0) == (published > 0) else "opposite"


def counted(beside: pd.DataFrame) -> str:
    """How many published means lie outside our intervals, and of which encodings on validation puzzles."""
    known = beside.dropna(subset="inside")
    if known.empty:
        return "No published accuracy can be compared: none is of an encoding that is trained here twice."
    outside = known[known.inside == "no"]
    chosen = outside[(outside.split == "validation") & (outside.condition == "all")].called.tolist()
    named = f" On all validation puzzles these are {', '.join(chosen)}." if chosen else ""
    return (
        f"Not reproduced: {len(outside)} of {len(known)} published mean accuracies lie outside our 95 % "
        f"interval (n = {known.n.min():.0f} seeds or more; share of puzzles solved).{named}"
    )


def ordered(pairs: pd.DataFrame) -> str:
    """How many orders of two encodings came out as published."""
    if pairs.empty:
        return (
            "No two encodings with published accuracies were trained here, so there is no order to compare."
        )
    counts = pairs.verdict.value_counts()
    opposite = [f"{a} and {b}" for a, b in pairs.loc[pairs.verdict == "opposite", ["a", "b"]].to_numpy()]
    named = f" The other way round came out {'; '.join(opposite)}." if opposite else ""
    return (
        f"Of {len(pairs)} orders of two encodings on validation puzzles {counts.get('same', 0)} are as "
        f"published, {counts.get('opposite', 0)} opposite, and {counts.get('undecided', 0)} undecided, our "
        f"95 % interval of the difference in share solved holding 0 (n = {pairs.n.min():.0f} seeds or "
        f"more).{named}"
    )
