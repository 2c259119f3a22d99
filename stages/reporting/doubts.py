"""What did not come out, and what the numbers cannot bear: points that are made where tables show them."""

from collections.abc import Iterator

import pandas as pd

from stages.figures.effects import GENERALISATION, OTHERS
from stages.measures import statistics
from stages.reporting import published
from stages.reporting.estimates import estimate_alignment, in_words, over_seeds, rank_scores, select_learned
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import estimate, interval, listed, number
from stages.reporting.parts import Section
from stages.reporting.scores import describe_power
from stages.tasks.facts import TaskFacts

ALIKE = 0.9  # rank correlation from which two curves over sigma are one and the same here
SAME_DATA = (
    "Intervals are over seeds alone: initial weights, order of data and masks. A task's data are the same "
    "for every seed, the puzzles, the simulated network and the people held out among them. How much other "
    "data would change the numbers is in no interval."
)


def section(inputs: Inputs) -> Section:
    of_tasks = (
        random_tables_do_as_well,
        *(small_sigma_fails, best_is_less_aligned, one_distance_alone, aligned_by_numbering, no_difference),
        training_scores_alike,
    )
    points = [
        SAME_DATA,
        *(point for find in of_tasks for facts in inputs.spatial() for point in find(inputs, facts)),
        describe_power(inputs.tables["tests"]),
        *impossible_shares(inputs),
        *opposite_orders(inputs),
    ]
    return Section(
        key="doubts",
        title="What did not come out, and what to doubt",
        question="What in these results speaks against the claim, and what can they not tell?",
        points=points,
    )


def select_tests(inputs: Inputs, facts: TaskFacts, family: str) -> pd.DataFrame:
    """Tests of the family on the task that have an interval."""
    rows = inputs.tables["tests"]
    return rows[(rows.family == family) & (rows.task == facts.name) & rows.low.notna()]


def compare_alignment(inputs: Inputs, facts: TaskFacts, a: str, b: str) -> "pd.Series[float]":
    """The paired difference of two configurations' alignment with the reference that judges the task."""
    reference, _ = estimate_alignment(inputs, facts)
    rows = inputs.tables["alignment"].query("block == 'all' and measure == 'spearman'")
    rows = rows[(rows.task == facts.name) & (rows.reference == reference)].assign(metric="alignment")
    return statistics.compare(rows, [(a, b)], "alignment", "").iloc[0]


def describe_difference(row: "pd.Series[float]") -> str:
    return estimate(row.difference, row.low, row.high, row.n)


def random_tables_do_as_well(inputs: Inputs, facts: TaskFacts) -> Iterator[str]:
    """Untrained random tables that generalise as well as the learned reference, with less alignment."""
    rows = select_tests(inputs, facts, OTHERS)
    references = select_tests(inputs, facts, GENERALISATION).b
    rows = rows[rows.a.isin(references) & (rows.b == "random_fixed") & (rows.low <= 0) & (rows.high >= 0)]
    name, aligned = estimate_alignment(inputs, facts)
    for _, row in rows[rows.a.isin(aligned.encoding) & rows.b.isin(aligned.encoding)].iterrows():
        alignment = compare_alignment(inputs, facts, row.a, row.b)
        verdict = (
            f"The learned table is more aligned with {name}, by {describe_difference(alignment)}, without "
            "better generalisation that these seeds could show."
            if alignment.low > 0
            else "These seeds tell neither the scores nor the alignments apart."
        )
        yield (
            f"{facts.title}: a random table that is never trained is not told from "
            f"{inputs.label(facts.name, row.a)} in generalisation (difference {describe_difference(row)}, "
            f"{facts.score.unit}). {verdict}"
        )


def small_sigma_fails(inputs: Inputs, facts: TaskFacts) -> Iterator[str]:
    """Smaller sigmas than the reference that do worse than it."""
    rows, sigmas = select_tests(inputs, facts, GENERALISATION), inputs.sigmas[facts.name]
    worse = rows[rows.high < 0] if facts.score.higher_is_better else rows[rows.low > 0]
    for _, row in worse.iterrows():
        if sigmas[row.a] < sigmas[row.b]:
            yield (
                f"{facts.title}: smaller is not always better. {inputs.label(facts.name, row.a)} minus "
                f"{inputs.label(facts.name, row.b)} is {describe_difference(row)} ({facts.score.unit})."
            )


def best_is_less_aligned(inputs: Inputs, facts: TaskFacts) -> Iterator[str]:
    """A best-scoring table that is less aligned than another one, on the same seeds."""
    ranked = rank_scores(inputs, facts)
    ranked = ranked[ranked.encoding.isin(list(inputs.sigmas[facts.name]))]
    name, aligned = estimate_alignment(inputs, facts)
    aligned = select_learned(inputs, aligned).sort_values("mean", ascending=False, kind="stable")
    if len(ranked) and len(aligned) and ranked.encoding.iloc[0] != aligned.encoding.iloc[0]:
        best, most = ranked.iloc[0], aligned.iloc[0]
        difference = compare_alignment(inputs, facts, best.encoding, most.encoding)
        if difference.high < 0:
            yield (
                f"{facts.title}: the best score is that of {best.label} ({in_words(best)}, "
                f"{facts.score.unit}), but its table is less aligned with {name} than that of {most.label}, "
                f"by {describe_difference(difference)}."
            )


def one_distance_alone(inputs: Inputs, facts: TaskFacts) -> Iterator[str]:
    """Tables that hold the first of two related distances beyond the second, but not the other way round."""
    if not facts.rivals:
        return
    first, second = facts.rivals
    rows = inputs.tables["partial"]
    rows = rows[(rows.task == facts.name) & rows.reference.isin(facts.rivals) & rows.given.isin(facts.rivals)]
    estimates = select_learned(inputs, over_seeds(inputs, rows, ["task", "encoding", "reference", "given"]))
    beyond = estimates[(estimates.reference == first) & (estimates.low > 0)]
    for _, row in beyond.sort_values("mean", ascending=False).head(1).iterrows():
        back = estimates[(estimates.encoding == row.encoding) & (estimates.reference == second)]
        for _, other in back[back.low <= 0].iterrows():
            yield (
                f"{facts.title}: what {row.label} learns is {first}, not {second}. Partial Spearman \u03c1 "
                f"with {first} beyond {second} is {in_words(row)}; with {second} beyond {first} it is "
                f"{in_words(other)}."
            )


def aligned_by_numbering(inputs: Inputs, facts: TaskFacts) -> Iterator[str]:
    """A sinusoid over token numbers that is aligned though the numbers mean nothing."""
    name, aligned = estimate_alignment(inputs, facts)
    rows = aligned[(aligned.encoding == "sinusoidal_1d") & (aligned.p_value <= 0.05)]
    for _, row in rows.iterrows():
        if not facts.ordered:
            yield (
                f"{facts.title}: a sinusoid over token numbers, which nobody trained, has \u03c1 = "
                f"{in_words(row)} with {name}, because similar tokens have near numbers. Its alignment is no "
                "evidence for anything; learned tables know no numbers."
            )


def no_difference(inputs: Inputs, facts: TaskFacts) -> Iterator[str]:
    """A task where most sigmas do as well as the reference."""
    rows = select_tests(inputs, facts, GENERALISATION)
    tied = rows[(rows.low <= 0) & (rows.high >= 0)]
    if 2 * len(tied) > len(rows):
        widest = tied.iloc[int(tied.difference.abs().to_numpy().argmax())]
        yield (
            f"{facts.title}: {len(tied)} of {len(rows)} other learned tables are not told from "
            f"{inputs.label(facts.name, widest.b)}. The largest difference among them is "
            f"{describe_difference(widest)} ({facts.score.unit}). With so few seeds that is no proof of "
            "equality."
        )


def training_scores_alike(inputs: Inputs, facts: TaskFacts) -> Iterator[str]:
    """Training scores that lie over sigma as the scores on held-out data do."""
    score, runs = facts.score, inputs.tables["runs"]
    rows = runs[(runs.task == facts.name) & (runs.metric == score.metric)]
    rows = rows[rows.encoding.isin(list(inputs.sigmas[facts.name]))]
    means = rows.pivot_table(index="encoding", columns="split", values="value")
    if len(means) > 2 and {"train", score.split} <= set(means):
        alike = means["train"].corr(means[score.split], method="spearman")
        if alike > ALIKE:
            yield (
                f"{facts.title}: over the {len(means)} \u03c3, mean scores on training data lie as those on "
                f"{score.split} data do (Spearman \u03c1 {number(alike, 2)}, no interval). What \u03c3 "
                "changes here is how well models fit, before it is how they generalise."
            )


def impossible_shares(inputs: Inputs) -> Iterator[str]:
    """Intervals of shares that leave 0 to 1, a sign of seeds that either succeed or fail."""
    rows = inputs.tables["intervals"]
    shares = rows[rows.metric.str.startswith("accuracy") & rows.low.notna()]
    outside = shares[(shares.low < 0) | (shares.high > 1)]
    if len(outside):
        row = outside.iloc[int((outside.high - outside.low).to_numpy().argmax())]
        runs, keys = inputs.tables["runs"], ["task", "encoding", "split", "metric"]
        seeds = [number(value, 2) for value in runs[(runs[keys] == row[keys]).all(axis=1)].value]
        yield (
            f"{len(outside)} of {len(shares)} intervals of shares reach below 0 or above 1, which no share "
            "can: where some seeds succeed and others fail, Student's t is not to be relied on. The widest "
            f"is {row.encoding} on {row.task}, {row.metric} ({row.split}): {number(row['mean'])} "
            f"{interval(row.low, row.high)} from the seeds {listed(seeds)}. Look at the dots, not at "
            "the mean."
        )


def opposite_orders(inputs: Inputs) -> Iterator[str]:
    """Orders of encodings that are the other way round than published."""
    rows = published.compare_orders(inputs)
    for _, row in rows[rows.verdict == "opposite"].iterrows():
        yield (
            f"Published the other way round: {row.a} minus {row.b} is {number(row.published)} there and "
            f"{describe_difference(row)} here (share of validation puzzles solved), after far shorter "
            "training."
        )
