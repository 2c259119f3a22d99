"""What did not come out, and what the numbers cannot bear: as the findings say it, and what tables show."""

from collections.abc import Iterator

from stages.reporting.estimates import estimate_alignment, in_words
from stages.reporting.evidence import Evidence, render
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import interval, listed, number
from stages.reporting.parts import Section
from stages.reporting.prose import fill_in, write_section
from stages.reporting.scores import describe_power
from stages.tasks.facts import TaskFacts


def section(inputs: Inputs) -> Section:
    texts = fill_in("doubts")
    findings = render("doubts.md.j2", Evidence(inputs.settings, inputs.tables)).splitlines()
    points = [
        texts["same_data"],
        *(line[2:].replace("`", "") for line in findings if line.startswith("- ")),
        *(point for facts in inputs.spatial() for point in aligned_by_numbering(inputs, facts)),
        describe_power(inputs.tables["tests"]),
        *impossible_shares(inputs),
    ]
    return write_section(texts, points=points)


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
