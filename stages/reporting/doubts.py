"""What did not come out, and what the numbers cannot bear: points that are made where tables show them."""

from collections.abc import Iterator

import pandas as pd

from stages.figures.effects import GENERALISATION, OTHERS
from stages.measures import statistics
from stages.reporting import published
from stages.reporting.alignment import REFERENCES, aligned_with, estimates
from stages.reporting.estimates import learned, over_seeds, words
from stages.reporting.inputs import SCORES, Inputs, called
from stages.reporting.numbers import estimate, interval, listed, number, sentence
from stages.reporting.section import Section
from stages.reporting.tests import power


def section(inputs: Inputs) -> Section:
    points = [
        *without_alignment(inputs),
        *small_fails(inputs),
        *best_elsewhere(inputs),
        *lines_not_distance(inputs),
        *numbered_by_community(inputs),
        *no_difference(inputs),
        power(inputs.tables["tests"]),
        *beyond_bounds(inputs),
        *opposite(inputs),
    ]
    return Section(
        key="doubts",
        title="What did not come out, and what to doubt",
        question="What in these results speaks against the claim, and what can they not tell?",
        points=points,
    )


def tests(inputs: Inputs, family: str, task: str) -> pd.DataFrame:
    """Tests of the family on the task that have an interval."""
    rows = inputs.tables["tests"]
    return rows[(rows.family == family) & (rows.task == task) & rows.low.notna()]


def reference(inputs: Inputs, task: str) -> str:
    """The learned table that others are compared with; nothing where there is none."""
    found = tests(inputs, GENERALISATION, task).b
    return "" if found.empty else str(found.iloc[0])


def without_alignment(inputs: Inputs) -> Iterator[str]:
    """Untrained random tables that generalise as well as the learned reference, without its alignment."""
    for task in REFERENCES:
        own, fixed = reference(inputs, task), "random_fixed"
        rows = tests(inputs, OTHERS, task)
        rows = rows[(rows.a == own) & (rows.b == fixed) & (rows.low <= 0) & (rows.high >= 0)]
        true, here = aligned_with(inputs, task)
        here = here.set_index("encoding")
        if len(rows) and {own, fixed} <= set(here.index):
            row = rows.iloc[0]
            yield (
                f"{sentence(task)}: a fixed random table, never trained, is not told from "
                f"{called(inputs, task, own)} in generalisation (difference "
                f"{estimate(row.difference, row.low, row.high, row.n)}, {SCORES[task].unit}), yet its "
                f"alignment with {true} is {words(here.loc[fixed])} where the learned one has "
                f"{words(here.loc[own])}. Telling tokens apart is enough here; that a table mirrors true "
                "positions need not be why it generalises."
            )


def small_fails(inputs: Inputs) -> Iterator[str]:
    """Smaller sigmas than the reference that do worse than it."""
    for task in REFERENCES:
        score, sigmas = SCORES[task], inputs.sigmas.get(task, {})
        rows = tests(inputs, GENERALISATION, task)
        worse = rows[rows.high < 0] if score.higher_is_better else rows[rows.low > 0]
        for _, row in worse.iterrows():
            if sigmas[row.a] < sigmas[row.b]:
                yield (
                    f"{sentence(task)}: smaller is not always better, {called(inputs, task, row.a)} minus "
                    f"{called(inputs, task, row.b)}: {estimate(row.difference, row.low, row.high, row.n)} "
                    f"({score.unit})."
                )


def best_elsewhere(inputs: Inputs) -> Iterator[str]:
    """Tasks whose best-scoring table is less aligned than another one, on the same seeds."""
    for task in REFERENCES:
        score = SCORES[task]
        rows = learned(inputs, score.of(inputs.tables["intervals"], task))
        rows = rows.sort_values("mean", ascending=not score.higher_is_better, kind="stable")
        true, here = aligned_with(inputs, task)
        here = learned(inputs, here).sort_values("mean", ascending=False, kind="stable")
        if len(rows) and len(here):
            best, most = rows.iloc[0], here.iloc[0]
            compared = inputs.tables["alignment"].query("block == 'all' and measure == 'spearman'")
            compared = compared[(compared.task == task) & (compared.reference == true)]
            pairs = [(best.encoding, most.encoding)] if best.encoding != most.encoding else []
            tested = statistics.compare(compared.assign(metric="alignment"), pairs, "alignment", "")
            for _, row in tested.iterrows():
                if row.high < 0:
                    yield (
                        f"{sentence(task)}: the best score is at \u03c3 = {best.sigma:g} ({words(best)}, "
                        f"{score.unit}), but the table there is less aligned with {true} than that of "
                        f"\u03c3 = {most.sigma:g}, by {estimate(row.difference, row.low, row.high, row.n)}."
                    )


def lines_not_distance(inputs: Inputs) -> Iterator[str]:
    """Grid tables that hold "same row or column" beyond distance, and no distance beyond that."""
    rows = inputs.tables["partial"]
    rows = rows[rows.task == "grid"]
    found = learned(inputs, over_seeds(inputs, rows, ["task", "encoding", "reference", "given"]))
    lines = found[(found.reference == "same_line") & (found.given == "grid_distance") & (found.low > 0)]
    for _, row in lines.sort_values("mean", ascending=False).head(1).iterrows():
        back = found[(found.encoding == row.encoding) & (found.reference == "grid_distance")]
        for _, other in back[back.given == "same_line"].iterrows():
            if other.low <= 0:
                yield (
                    f"Grid: what {row.called} learns is the line, not the distance. Partial Spearman \u03c1 "
                    f"with same_line beyond grid_distance is {words(row)}, with grid_distance beyond "
                    f"same_line {words(other)}. A puzzle needs to know which cells share a row or column, "
                    "not how far they lie apart, so this is no map of the square."
                )


def numbered_by_community(inputs: Inputs) -> Iterator[str]:
    """The modular network's nodes are in the order of communities, which anything over indices shows."""
    found = estimates(inputs)
    rows = found[(found.task == "network") & (found.encoding == "sinusoidal_1d")]
    rows = rows[rows.reference == "communities"]
    if inputs.settings.network.graph == "modular":
        for _, row in rows.iterrows():
            yield (
                "Network: nodes are numbered community by community, so that a sinusoid over node numbers, "
                f"which nobody trained, has \u03c1 = {words(row)} with the communities (the same table in "
                "every seed). Its alignment is by construction and no evidence for anything; learned "
                "tables know no numbers."
            )


def no_difference(inputs: Inputs) -> Iterator[str]:
    """Tasks where most sigmas do as well as the reference."""
    for task in REFERENCES:
        rows = tests(inputs, GENERALISATION, task)
        tied = rows[(rows.low <= 0) & (rows.high >= 0)]
        if 2 * len(tied) > len(rows):
            widest = tied.iloc[int(tied.difference.abs().to_numpy().argmax())]
            yield (
                f"{sentence(task)}: \u03c3 hardly matters for generalisation. {len(tied)} of {len(rows)} "
                f"other learned tables are not told from {called(inputs, task, widest.b)}, the largest "
                "difference among them being "
                f"{estimate(widest.difference, widest.low, widest.high, widest.n)} ({SCORES[task].unit}). "
                "With so few seeds that is no proof of equality."
            )


def beyond_bounds(inputs: Inputs) -> Iterator[str]:
    """Intervals of shares that leave 0 to 1, a sign of seeds that either succeed or fail."""
    rows = inputs.tables["intervals"]
    shares = rows[rows.metric.str.startswith("accuracy") & rows.low.notna()]
    outside = shares[(shares.low < 0) | (shares.high > 1)]
    if outside.empty:
        return
    chosen = outside[outside.split != "train"]
    worst = (chosen if len(chosen) else outside).assign(width=lambda one: one.high - one.low)
    row = worst.sort_values("width", ascending=False, kind="stable").iloc[0]
    runs = inputs.tables["runs"]
    keys = ["task", "encoding", "split", "metric"]
    seeds = runs[(runs[keys] == row[keys]).all(axis=1)].value
    yield (
        f"{len(outside)} of {len(shares)} intervals of shares reach below 0 or above 1, which no share can. "
        f"Student's t takes seeds to scatter normally; where some succeed and others fail, few seeds give an "
        f"interval that is not to be relied on. The widest: {row.encoding} on {row.task}, {row.metric} "
        f"({row.split}), {number(row['mean'])} {interval(row.low, row.high)} from the n = {row.n:.0f} seeds "
        f"{listed([number(value, 2) for value in seeds])}. Look at the dots, not at the mean."
    )


def opposite(inputs: Inputs) -> Iterator[str]:
    """Orders of encodings that are the other way round than published."""
    found = published.orders(inputs)
    for _, row in found[found.verdict == "opposite"].iterrows():
        yield (
            f"Published the other way round: {row.a} minus {row.b} is {number(row.published)} there and "
            f"{estimate(row.difference, row.low, row.high, row.n)} here (share of validation puzzles "
            "solved), after far shorter training."
        )
