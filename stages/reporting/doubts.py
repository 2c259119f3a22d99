"""What did not come out, and what the numbers cannot bear: points that are made where tables show them."""

from collections.abc import Iterator

import pandas as pd

from stages.figures.effects import GENERALISATION, OTHERS
from stages.measures import statistics
from stages.reporting import limits, published
from stages.reporting.alignment import REFERENCES, aligned_with, estimates
from stages.reporting.estimates import learned, over_seeds, words
from stages.reporting.inputs import SCORES, Inputs, called
from stages.reporting.numbers import estimate, number, sentence
from stages.reporting.section import Section
from stages.reporting.tests import power
from stages.tasks.network.facts import Settings


def section(inputs: Inputs) -> Section:
    points = [
        limits.same_for_every_seed(inputs),
        *without_alignment(inputs),
        *small_fails(inputs),
        *best_elsewhere(inputs),
        *lines_not_distance(inputs),
        *numbered_by_community(inputs),
        *no_difference(inputs),
        *limits.fitted_alike(inputs),
        power(inputs.tables["tests"]),
        *limits.beyond_bounds(inputs),
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
            apart = alignment_apart(inputs, task, true, (own, fixed))
            yield (
                f"{sentence(task)}: a fixed random table, never trained, is not told from "
                f"{called(inputs, task, own)} in generalisation (difference "
                f"{estimate(row.difference, row.low, row.high, row.n)}, {SCORES[task].unit}), yet its "
                f"alignment with {true} is {words(here.loc[fixed])} where the learned one has "
                f"{words(here.loc[own])}; paired difference "
                f"{estimate(apart.difference, apart.low, apart.high, apart.n)}. "
                + (
                    "More alignment without better generalisation that these seeds could show."
                    if apart.low > 0
                    else "These seeds tell neither the scores nor the alignments apart."
                )
            )


def alignment_apart(inputs: Inputs, task: str, true: str, pair: tuple[str, str]) -> "pd.Series[float]":
    """The paired difference of two configurations' Spearman alignment with that true distance."""
    rows = inputs.tables["alignment"].query("block == 'all' and measure == 'spearman'")
    rows = rows[(rows.task == task) & (rows.reference == true)].assign(metric="alignment")
    return statistics.compare(rows, [pair], "alignment", "").iloc[0]


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
        if len(rows) and len(here) and (best := rows.iloc[0]).encoding != (most := here.iloc[0]).encoding:
            row = alignment_apart(inputs, task, true, (best.encoding, most.encoding))
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
    if inputs.settings.section("network", Settings).graph == "modular":
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
                f"{sentence(task)}: for most \u03c3 no difference in generalisation was found. {len(tied)} "
                f"of {len(rows)} other learned tables are not told from {called(inputs, task, widest.b)}, "
                "the largest difference among them being "
                f"{estimate(widest.difference, widest.low, widest.high, widest.n)} ({SCORES[task].unit}). "
                "With so few seeds that is no proof of equality."
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
