"""The claims that the findings and the report make: what each is about, its verdict, and its numbers.

A claim is what an interval over seeds, or theory, decides. Means and their order are numbers, no claims.
"""

from collections.abc import Iterator
from typing import NamedTuple

from stages.reporting.evidence import Evidence
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import interval, number
from stages.reporting.people import judge_slope, select_most_accurate
from stages.reporting.published import compare_orders
from stages.reporting.verdicts import select, subtract
from stages.tasks.facts import find_facts

SHOWN = {1: "shown", 0: "not shown", -1: "opposed"}
TOLD_APART = {1: "better", 0: "not told apart", -1: "worse"}
THEORY = {"True": "as theory says", "False": "not as theory says", "bound": "below what theory allows"}
# what the doubts ask of every task: a fixed or random encoding beside another
PAIRS = (
    ("sinusoidal_nd_equal", "sinusoidal_nd"),
    ("random_fixed", "learned_s020"),
    ("mds", "random_fixed"),
    ("sinusoidal_nd_centred", "sinusoidal_nd"),
    ("random_fixed_offset", "random_fixed"),
    ("sinusoidal_nd_centred", "random_fixed"),
    ("sinusoidal_nd", "random_fixed_offset"),
)


class Claim(NamedTuple):
    about: str  # the same in every run, so that two runs can be compared claim by claim
    verdict: str
    numbers: str


def list_claims(inputs: Inputs) -> list[Claim]:
    """All of them, in the order of the tasks."""
    findings = Evidence(inputs.settings, inputs.tables)
    claims = [
        claim
        for facts in inputs.spatial()
        if facts.name in findings.spatial_tasks()
        for claims_of in (_of_alignment, _of_scores, _of_rivals, _of_pairs)
        for claim in claims_of(findings, facts.name)
    ]
    return [*claims, *_of_probe(findings), *_of_published_orders(inputs), *_of_people(inputs)]


def _of_alignment(findings: Evidence, task: str) -> Iterator[Claim]:
    sigmas = findings.sigmas(task)
    if len(sigmas) < 2 or not findings.reference(task):
        return
    *smaller, largest = sigmas
    rows = findings.alignments(task)
    verdicts = findings.judge_alignment(task)
    for name, (sigma, sign, *_) in zip(smaller, verdicts, strict=True):
        about = f"{task}: a table of \u03c3 = {sigma} mirrors {findings.reference(task)}"
        beyond = subtract(rows, name, largest).interval
        yield Claim(about, SHOWN[sign], f"{select(rows, name).interval}, beyond the largest \u03c3 {beyond}")


def _of_scores(findings: Evidence, task: str) -> Iterator[Claim]:
    """Not which sigma is best, which chance decides among equals, but which are behind the best."""
    sigmas, scores, digits = findings.sigmas(task), findings.scores(task), findings.digits(task)
    if len(sigmas) < 2:
        return
    best, verdicts = findings.judge_scores(task)
    signs = {each.about: each.sign for each in verdicts}
    for name, value in sigmas.items():
        verdict = "behind the best" if signs.get(f"{value:g}", 0) < 0 else "among the best"
        gap = subtract(scores, name, best, digits).interval
        numbers = "the best mean" if name == best else f"{gap} from {sigmas[best]:g}"
        yield Claim(f"{task}: score at \u03c3 = {value:g}", verdict, numbers)


def _of_rivals(findings: Evidence, task: str) -> Iterator[Claim]:
    if not find_facts(task).rivals:
        return
    held, rival = find_facts(task).rivals
    for sigma, first, second in findings.judge_rivals(task):
        verdict, numbers = SHOWN[first.sign], first.interval
        if first.sign == 1:  # else nothing is said of the second
            verdict, numbers = f"{verdict}, the other {SHOWN[second.sign]}", f"{numbers}, {second.interval}"
        yield Claim(f"{task}: \u03c3 = {sigma} holds {held} beyond {rival}", verdict, numbers)


def _of_pairs(findings: Evidence, task: str) -> Iterator[Claim]:
    for a, b in PAIRS:
        if {a, b} <= set(findings.encodings(task)):
            gap = subtract(findings.scores(task), a, b, findings.digits(task))
            yield Claim(f"{task}: {a} beside {b}", TOLD_APART[findings.better(task) * gap.sign], gap.interval)


def _of_probe(findings: Evidence) -> Iterator[Claim]:
    if "probe" in findings.settings.tasks:
        for row in findings.tables["probe"].to_dict("records"):
            about = f"probe: {row['configuration']} tells tokens apart"
            yield Claim(about, THEORY[str(row["agrees"])], f"accuracy {number(row['accuracy'])}")


def _of_published_orders(inputs: Inputs) -> Iterator[Claim]:
    for row in compare_orders(inputs).to_dict("records"):
        numbers = f"{number(row['difference'])} {interval(row['low'], row['high'])}"
        yield Claim(f"grid: {row['a']} beside {row['b']}, as published", row["verdict"], numbers)


def _of_people(inputs: Inputs) -> Iterator[Claim]:
    """The most accurate configuration, whichever it is, errs as people do."""
    for row in select_most_accurate(inputs, inputs.tables["people"]).to_dict("records"):
        low, high = row["difference_low"], row["difference_high"]
        numbers = f"{row['encoding']}: {number(row['difference'])} {interval(low, high)}"
        yield Claim(
            "grid: the most accurate configuration errs as people do", judge_slope(low, high), numbers
        )
