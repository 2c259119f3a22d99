"""Comparisons and tests that no cell of a study could ever fill: told before anything is trained."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from stages.core.settings.errors import InputError
from stages.studies.cells import Baselines, Cell
from stages.studies.claim import FEWEST_SEEDS
from stages.studies.schema import Study
from stages.studies.tables import FLOOR, split_name

Seeds = dict[str, set[int]]  # of a cell at each value of the axis
Ran = dict[tuple[str, str], Seeds]  # by task and cell
Found = TypeVar("Found")


def check_reach(study: Study, cells: Sequence[Cell], baselines: Sequence[Baselines]) -> None:
    """Raise InputError for a pair without a common seed and value, or a baseline of other data."""
    ran: Ran = defaultdict(dict)
    for cell in cells:
        if cell.trained:
            ran[cell.task, cell.name].setdefault(cell.at, set()).update(cell.seeds)
    for place, tasks, a, b in study.list_pairs():
        if a.startswith(FLOOR) and (b is None or b.startswith(FLOOR)):
            raise InputError(f"{place}: '{a}' has one value and no seeds; expected a cell to compare it with")
        if not any(can_meet(ran, task, a, b) for task in tasks):
            sides = "; ".join(describe_side(ran, tasks, side) for side in (a, b) if side is not None)
            raise InputError(f"{place}: {sides}; expected a task, a value of the axis and seeds of both")
        if b is not None:
            check_roots(place, tasks, a, b, cells)
        if b is not None and place.startswith("claims"):
            check_shared(ran, place, tasks, a, b)
        for side, floor in ((a, b), (b, a)):
            if side is not None and floor is not None and floor.startswith(FLOOR):
                check_baseline(place, side, floor, [cell for cell in cells if cell.task in tasks], baselines)


def can_meet(ran: Ran, task: str, a: str, b: str | None) -> bool:
    """Tell whether both have scores for one seed where they meet."""
    meetings = list_meetings(ran, task, a, a if b is None else b)
    return any(not mine or not theirs or mine & theirs for mine, theirs in meetings)


def list_meetings(ran: Ran, task: str, a: str, b: str) -> list[tuple[set[int], set[int]]]:
    """List the seeds of both wherever they meet: at one value of the axis, or one at all of the other's."""
    return meet(a, b, find_seeds(ran, task, a), find_seeds(ran, task, b))


def meet(a: str, b: str, ours: Mapping[str, Found], others: Mapping[str, Found]) -> list[tuple[Found, Found]]:
    """List both sides' values wherever they meet, each given by value of the axis."""
    anywhere = "@" in f"{a}{b}" or [""] in (list(ours), list(others))
    return [
        (mine, theirs)
        for at, mine in ours.items()
        for beside, theirs in others.items()
        if anywhere or at == beside
    ]


def check_roots(place: str, tasks: Sequence[str], a: str, b: str, cells: Sequence[Cell]) -> None:
    """Raise InputError where two cells would be paired seed by seed though none of their draws is shared."""
    for task in tasks:
        ours, others = (
            keep_named(side, {one.at: one.settings.seed for one in cells if is_named(side, task, one)})
            for side in (a, b)
        )
        for mine, theirs in meet(a, b, ours, others):
            if mine != theirs:
                raise InputError(
                    f"{place}: '{a}' is under seed: {mine} and '{b}' under seed: {theirs}, so that seed by "
                    "seed they share no draw; give both the same `seed`"
                )


def check_baseline(
    place: str, side: str, floor: str, cells: Iterable[Cell], baselines: Sequence[Baselines]
) -> None:
    """Raise InputError where a cell would stand beside a baseline of data that are not its own."""
    (name, at), (_, floor_at) = split_name(side), split_name(floor)
    for cell in cells:
        if cell.name != name or at not in ("", cell.at):
            continue
        of_task = [each for each in baselines if each.task == cell.task]
        wanted = floor_at or cell.at
        beside = [each.data for each in of_task if wanted in each.at or each.at == ("",)]
        if of_task and cell.data not in beside:
            where = f"'{name}'" + (f" at {cell.at}" if cell.at else "")
            raise InputError(
                f"{place}: {where} has data of its own on {cell.task}, but '{floor}' given, which is of "
                "others; expected a cell with the data of the baseline"
            )


def check_shared(ran: Ran, place: str, tasks: Sequence[str], a: str, b: str) -> None:
    """Raise InputError where two cells have three seeds or more, and share fewer, which decides nothing."""
    for task in tasks:
        for mine, theirs in list_meetings(ran, task, a, b):
            most = min(FEWEST_SEEDS, len(mine), len(theirs))
            if len(mine & theirs) < most:
                raise InputError(
                    f"{place}: '{a}' has seeds {min(mine)} to {max(mine)} and '{b}' {min(theirs)} to "
                    f"{max(theirs)} on {task}, which share {len(mine & theirs)}; expected {most} or more"
                )


def find_seeds(ran: Ran, task: str, side: str) -> Seeds:
    """Find seeds of `learned`, or of `learned@0.2` at one value; a baseline pairs with all."""
    cell, _ = split_name(side)
    if cell.startswith(FLOOR):
        return {"": set()}
    return keep_named(side, ran.get((task, cell), {}))


def is_named(side: str, task: str, cell: Cell) -> bool:
    name, _ = split_name(side)
    return (cell.task, cell.name) == (task, name)


def keep_named(side: str, found: Mapping[str, Found]) -> dict[str, Found]:
    """Keep what is of the value of the axis that a side names, if it names one."""
    _, at = split_name(side)
    return {value: one for value, one in found.items() if not at or value == at}


def describe_side(ran: Ran, tasks: Sequence[str], side: str) -> str:
    """Describe a side and what there is of it."""
    cell, _ = split_name(side)
    known = dict.fromkeys(at or "no axis" for task in tasks for at in ran.get((task, cell), {}))
    return f"'{side}' given, {cell} has {', '.join(known) or 'nothing'} on {', '.join(tasks)}"
