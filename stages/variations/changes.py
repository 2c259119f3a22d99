"""params.yaml as one variation of a task changes it."""

from copy import deepcopy
from pathlib import Path
from typing import Any

Values = dict[str, Any]
OF_SCALE = ("data", "model", "training")  # sections that a change names without scale and task


def changed(values: Values, task: str, name: str) -> Values:
    """The values of params.yaml under that variation, with nothing to train but what is compared.

    The first configuration compared is `pe`, and the others are the task's sweep.
    Raises ValueError for an unknown variation and for a change in no section of params.yaml; whether its
    values are valid there is for `params.check` to say.
    """
    variations = values["variations"]
    known = variations.get(task, {})
    if name not in known:
        expected = ", ".join(known) or "none"
        raise ValueError(f"variations.{task}: '{name}' is not known; expected one of {expected}")
    result = deepcopy(values)
    compared: Values = deepcopy(variations["compared"])
    for parameter, change in known[name].items():
        path = f"variations.{task}.{name}.{parameter}"
        *sections, last = full(values, task, parameter)
        if sections == ["configuration"]:
            compared = {key: one | {last: change} for key, one in compared.items()}
            continue
        if isinstance(change, dict):
            of = full(values, task, change.get("of", parameter))
            change = multiplied(get(values, of, path), change, path)
        get(result, sections, path)[last] = change
    first, *others = compared
    result["pe"] = compared[first]
    result["sweep"] = {task: {other: compared[other] for other in others}}
    result["variations"] = {"compared": variations["compared"]}  # so that the others' changes are not its own
    return result


def full(values: Values, task: str, parameter: str) -> list[str]:
    """Keys that lead to a parameter as a change names it."""
    keys = parameter.split(".")
    return ["scales", values["scale"], task, *keys] if keys[0] in OF_SCALE else keys


def get(values: Values, keys: list[str], path: str) -> Any:
    """What stands under these keys; ValueError naming the change's `path` if nothing does."""
    found: Any = values
    for key in keys:
        if not isinstance(found, dict) or key not in found:
            raise ValueError(f"{path}: params.yaml has no {'.'.join(keys)}; correct the name")
        found = found[key]
    return found


def multiplied(usual: Any, change: Values, path: str) -> int | float:
    """`times` the usual value; whole where that is a whole number."""
    if not set(change) <= {"times", "of"} or "times" not in change:
        raise ValueError(f"{path}: {change!r} given, expected a value or {{times: 2, of: a parameter}}")
    if isinstance(usual, bool) or not isinstance(usual, int | float):
        raise ValueError(f"{path}: {usual!r} cannot be multiplied; name a number with `of`")
    product = usual * change["times"]
    if isinstance(usual, float):
        return float(product)
    if product != int(product):
        raise ValueError(f"{path}: {change['times']} times {usual} is {product:g}, expected a whole number")
    return int(product)


def from_here(values: Values, here: Path) -> Values:
    """The values with files of a researcher's own, named from `here`, findable from any folder."""
    result = deepcopy(values)
    if result["network"]["adjacency"] is not None:
        result["network"]["adjacency"] = str(here / result["network"]["adjacency"])
    for split, files in result["grid"]["puzzles"].items():
        result["grid"]["puzzles"][split] = [str(here / file) for file in files]
    return result


def files_named(values: Values) -> list[str]:
    """A researcher's own files that the values name."""
    adjacency = values["network"]["adjacency"]
    puzzles = [file for files in values["grid"]["puzzles"].values() for file in files]
    return [*puzzles, *([] if adjacency is None else [adjacency])]
