"""The parameters of params.yaml as a study changes them: paths such as training.epochs, with their values."""

from copy import deepcopy
from math import isclose
from typing import Any

from stages.core.settings.errors import InputError
from stages.parameters.params import USUAL

OF_SCALE = ("data", "model", "training")  # sections that a change names without scale and task
OF_TRAINING = ("model", "training", "configuration", "pe", "device", "compute")  # what changes no data
CONFIGURATION = "configuration."  # before a key of every cell's configuration
Values = dict[str, Any]  # parameters by their path, such as training.epochs


def change(values: Values, task: str, scale: str | None, changes: Values) -> Values:
    """Give the values of params.yaml another scale and changes.

    data, model and training are those of the scale and the task. {times: 2} multiplies the usual value, or
    that of the parameter `of`. Raises InputError for a section that there is not.
    """
    after = deepcopy(values) | ({"scale": scale} if scale else {})
    of_scale = after["scales"].get(after["scale"], {})
    usual, own = of_scale.get(USUAL, {}), of_scale.get(task, {})
    sizes = {part: usual.get(part, {}) | own.get(part, {}) for part in OF_SCALE}
    after["scales"] = {after["scale"]: {task: sizes}}
    before = deepcopy(after)
    for path, value in changes.items():
        if path.startswith(CONFIGURATION):
            continue
        *sections, last = full_path(after, task, path)
        if isinstance(value, dict) and "times" in value:
            value = multiply(
                look_up(before, full_path(before, task, value.get("of", path)), path), value, path
            )
        look_up(after, sections, path)[last] = value
    return after


def full_path(values: Values, task: str, path: str) -> list[str]:
    """List the keys that lead to a parameter as a change names it."""
    keys = path.split(".")
    return ["scales", values["scale"], task, *keys] if keys[0] in OF_SCALE else keys


def look_up(values: Values, keys: list[str], path: str) -> Any:
    """Find the value under these keys; InputError that names the change's path if there is none."""
    value: Any = values
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            raise InputError(f"set.{path}: params.yaml has no {'.'.join(keys)}; correct the name")
        value = value[key]
    return value


def multiply(usual: Any, factor: Values, path: str) -> int | float:
    """Multiply the usual value; whole where that is a whole number, as 100 times 0.07 is but for rounding."""
    if not set(factor) <= {"times", "of"}:
        raise InputError(f"set.{path}: {factor!r} given, expected a value or {{times: 2, of: a parameter}}")
    if isinstance(usual, bool) or not isinstance(usual, int | float):
        raise InputError(f"set.{path}: {usual!r} cannot be multiplied; name a number with `of`")
    product = usual * factor["times"]
    if isinstance(usual, float):
        return float(product)
    whole = round(product)
    if not isclose(product, whole):
        raise InputError(
            f"set.{path}: {factor['times']} times {usual} is {product:g}, expected a whole number"
        )
    return int(whole)


def of_data(changes: Values) -> Values:
    """Keep the changes that ask for data of their own."""
    return {key: value for key, value in changes.items() if key.partition(".")[0] not in OF_TRAINING}


def of_configuration(changes: Values) -> Values:
    """Keep the changes of configurations, by their keys."""
    return {
        key.removeprefix(CONFIGURATION): value
        for key, value in changes.items()
        if key.startswith(CONFIGURATION)
    }
