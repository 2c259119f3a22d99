"""Find the rows of scores.csv that a number on a page was made of."""

from stages.studies.claim import PUBLISHED
from stages.studies.judging.results import Difference
from stages.studies.tables import GAIN, find_metric


def write_query(found: Difference) -> str:
    """Write the call of pandas that gives the rows of scores.csv behind a difference."""
    metrics = [one for one in found.metric.split(" ~ ") if one != PUBLISHED]
    measured = [pair for metric in metrics for pair in list_metrics(found.task, metric)]
    of_metrics = [f"split == {split!r} and metric == {own!r}" for split, own in measured]
    sides = dict.fromkeys([found.a, found.b])
    of_sides = [f"cell == {cell!r}" + f" and at == {at!r}" * bool(at) for cell, at in sides if is_cell(cell)]
    return f'scores.query("task == {found.task!r} and {either(of_metrics)} and {either(of_sides)}")'


def list_metrics(task: str, metric: str) -> list[tuple[str, str]]:
    """List split and metric of the scores that a metric is made of."""
    split, own = find_metric(task, metric)
    return [(split, "alignment"), (split, "alignment_initial")] if own == GAIN else [(split, own)]


def is_cell(name: str) -> bool:
    """Tell whether a side of a test has scores: neither a number nor published means have."""
    return name[:1].isalpha() and name != PUBLISHED


def either(conditions: list[str]) -> str:
    """Join conditions of which one must be met."""
    return f"({' or '.join(conditions)})" if conditions[1:] else conditions[0]
