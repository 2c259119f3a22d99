"""What the numbers cannot bear, whatever the encodings: points for the doubts."""

from collections.abc import Iterator

from stages.reporting.alignment import REFERENCES
from stages.reporting.inputs import SCORES, Inputs
from stages.reporting.numbers import interval, listed, number, sentence
from stages.tasks.recordings.facts import Settings

ALIKE = 0.9  # rank correlation from which two curves over sigma are one and the same here


def same_for_every_seed(inputs: Inputs) -> str:
    """What the seeds do not vary."""
    people = inputs.settings.section("recordings", Settings).validation_subjects
    return (
        "Intervals are over seeds alone: initial weights, order of data and masks. The puzzles, the "
        f"simulated network and the {len(people)} people held out ({listed(people)}) are the same for every "
        "seed, so how much other puzzles, networks or people would change the numbers is in no interval."
    )


def fitted_alike(inputs: Inputs) -> Iterator[str]:
    """Tasks whose training scores lie over sigma as their scores on held-out data do."""
    for task in REFERENCES:
        score, runs = SCORES[task], inputs.tables["runs"]
        rows = runs[(runs.task == task) & (runs.metric == score.metric)]
        rows = rows[rows.encoding.isin(list(inputs.sigmas.get(task, {})))]
        means = rows.pivot_table(index="encoding", columns="split", values="value")
        if len(means) > 2 and {"train", score.split} <= set(means):
            alike = means["train"].corr(means[score.split], method="spearman")
            if alike > ALIKE:
                yield (
                    f"{sentence(task)}: over the {len(means)} \u03c3, mean scores on training data lie as "
                    f"those on {score.split} data do (Spearman \u03c1 {number(alike, 2)} of means over "
                    "seeds, no interval). What \u03c3 changes here is how well models fit, before it is how "
                    "they generalise."
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
