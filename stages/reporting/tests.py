"""Differences between configurations, seed by seed: the forest plot and what its intervals say."""

import pandas as pd

from stages.figures.effects import ALIGNMENT, GENERALISATION, OTHERS, differences
from stages.reporting.inputs import SCORES, Inputs, called
from stages.reporting.numbers import estimate, listed, number, sentence
from stages.reporting.section import Column, Figure, Section, Table

LEVEL = 0.05
FAMILIES = {GENERALISATION: "score", OTHERS: "score", ALIGNMENT: "alignment"}
COLUMNS = [
    *(Column("task", "task"), Column("metric", "of"), Column("called", "encoding"), Column("n", "n", 0)),
    *(Column("difference", "difference", 3), Column("low", "95 % interval", 3, high="high")),
    *(Column("effect_size", "effect size", 2), Column("p_value", "p", 3), Column("q_value", "q", 3)),
]
FIGURE = (
    "Difference from the learned table of \u03c3 = {sigma:g}: of scores (share solved or labelled right; "
    "masked error in variances of a token) and of Spearman correlations (no unit), paired by seed, n = {n} "
    "seeds, with 95 % Student t intervals."
)
CAPTION = (
    "Difference from the learned table of \u03c3 = {sigma:g} on the same seeds, mean over n seeds with its "
    "95 % Student t interval; units as above. Effect size: mean over standard deviation of the differences "
    "(Hedges' factor). p: flips of signs; q: false discovery rate within a family of tests."
)


def section(inputs: Inputs) -> Section:
    tests = inputs.tables["tests"].dropna(subset="difference")
    found = differences(tests)
    sigmas = [inputs.sigmas[task][b] for task, b in zip(found.task, found.b, strict=True)]
    if found.empty:
        return Section("tests", "Differences, tested", "Which differences are more than chance?", [NOTHING])
    names = [called(inputs, task, name) for task, name in zip(found.task, found.encoding, strict=True)]
    named = {"sigma": sigmas[0], "n": f"{found.n.max():.0f}"}
    return Section(
        key="tests",
        title="Differences, tested",
        question="Which differences between encodings are more than the chance of seeds?",
        paragraphs=[power(tests), *(in_words(inputs, str(task), one) for task, one in by_task(found))],
        figures=[
            Figure("effects", inputs.figures["effects"], FIGURE.format(**named), ["tables/tests.csv"]),
        ],
        tables=[
            Table("differences", CAPTION.format(**named), found.assign(called=names), COLUMNS, folded=True)
        ],
        further=["variations/page.html"],
    )


NOTHING = "No learned table of the reference \u03c3 was trained beside another, so nothing is compared."


def by_task(found: pd.DataFrame) -> list[tuple[object, pd.DataFrame]]:
    """Differences of scores, task by task."""
    scores = found[found.family.map(FAMILIES).eq("score") & found.task.isin(list(SCORES))]
    return list(scores.groupby("task", sort=False))


def power(tests: pd.DataFrame) -> str:
    """How small a p can get, and how many tests keep to the false discovery rate."""
    tested = tests.dropna(subset="p_value")
    blind = tested[tested.p_least > LEVEL]
    passed = int((tested.q_value <= LEVEL).sum())
    words = f"{passed} of {len(tested)} tests have q \u2264 {LEVEL}."
    if blind.empty:
        return words
    return (
        f"{words} In {len(blind)} of them no outcome could: a test by flips of signs with "
        f"{blind.n.max():.0f} seeds gives no p below {number(blind.p_least.min(), 2)}, however large the "
        f"difference. What can be read here are sizes and intervals, not p."
    )


def in_words(inputs: Inputs, task: str, found: pd.DataFrame) -> str:
    """Which encodings have an interval that leaves 0 out, and which have not."""
    score = SCORES[task]
    known = found[found.low.notna()]
    if known.empty:
        return f"{sentence(task)}: fewer than two seeds, so no interval."
    better = (known.low > 0) if score.higher_is_better else (known.high < 0)
    worse = (known.high < 0) if score.higher_is_better else (known.low > 0)
    tied = known[~better & ~worse]
    reference = called(inputs, task, known.b.iloc[0])
    words = [f"{sentence(task)} ({score.unit}), beside {reference}, n = {known.n.min():.0f} seeds."]
    for name, rows in (("Better", known[better]), ("Worse", known[worse]), ("Not told apart", tied)):
        ends = [
            f"{called(inputs, task, row.encoding)} by "
            f"{estimate(row.difference, row.low, row.high, row.n).split(' (')[0]}"
            for _, row in rows.iterrows()
        ]
        words.append(f"{name}: {listed(ends) or 'none'}.")
    return " ".join(words)
