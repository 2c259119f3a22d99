"""The variations of params.yaml here, and the values of the project's params.yaml under one of them."""

from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from stages.parameters.checking import check
from stages.parameters.params import USUAL, Configurations, Name, read

Values = dict[str, Any]
FILE = Path("stages/variations/params.yaml")
RESULTS = Path("data/variations")  # a table per task and variation
WHOSE = ["trained_on", "scored_on"]  # columns that say whose data, where they are somebody's
OWN = "compared"  # in a variation: what it compares in place of what the others do
OF_SCALE = ("data", "model", "training")  # sections that a change names without scale and task


class Variations(NamedTuple):
    """Section `variations` of params.yaml here, where the tasks stand beside `compared`."""

    compared: Configurations  # trained under every variation; differences are the first minus another
    changes: dict[Name, dict[Name, Values]]  # by task and name of the variation


def load_variations(root: Path) -> Variations:
    """The variations of every task, checked."""
    changes = check(dict[Name, Configurations], read(root / FILE).get("variations"), "variations")
    if "compared" not in changes:
        raise ValueError(f"{FILE}: no variations.compared; add it (version control shows its default)")
    return Variations(changes.pop("compared"), changes)


def compared_in(variations: Variations, task: str, name: str) -> Configurations:
    """What is trained under a variation: what all compare, or its own."""
    own = variations.changes[task][name].get(OWN, variations.compared)
    return check(Configurations, own, f"variations.{task}.{name}.{OWN}")


def apply_variation(values: Values, variations: Variations, task: str, name: str) -> Values:
    """The values of params.yaml under that variation; only what is compared is left to train.

    The first configuration compared becomes `pe`, the others the task's sweep; of the scales only the sizes
    of this task stay. Raises ValueError for an unknown variation and a change of a section that params.yaml
    does not have. New values are not checked here.
    """
    known = variations.changes.get(task, {})
    if name not in known:
        expected = ", ".join(known) or "none"
        raise ValueError(f"variations.{task}: '{name}' is not known; expected one of {expected}")
    of_scale = values["scales"][values["scale"]]
    usual, own = of_scale.get(USUAL, {}), of_scale.get(task, {})
    sizes = {part: usual.get(part, {}) | own.get(part, {}) for part in OF_SCALE}
    before = values | {"tasks": {task: ["compared"]}, "scales": {values["scale"]: {task: sizes}}}
    after, compared = deepcopy(before), deepcopy(compared_in(variations, task, name))
    for parameter, change in known[name].items():
        if parameter == OWN:
            continue
        path = f"variations.{task}.{name}.{parameter}"
        *sections, last = full_path(values, task, parameter)
        if sections == ["configuration"]:
            for configuration in compared.values():
                configuration[last] = change
            continue
        if isinstance(change, dict):
            of = full_path(values, task, change.get("of", parameter))
            change = multiply(look_up(before, of, path), change, path)
        look_up(after, sections, path)[last] = change
    return after | {"pe": compared.pop(next(iter(compared))), "sweep": {"compared": compared}}


def full_path(values: Values, task: str, parameter: str) -> list[str]:
    """Keys that lead to a parameter as a change names it."""
    keys = parameter.split(".")
    return ["scales", values["scale"], task, *keys] if keys[0] in OF_SCALE else keys


def look_up(values: Values, keys: list[str], path: str) -> Any:
    """The value under these keys; ValueError with the change's `path` if there is none."""
    value: Any = values
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            raise ValueError(f"{path}: params.yaml has no {'.'.join(keys)}; correct the name")
        value = value[key]
    return value


def multiply(usual: Any, change: Values, path: str) -> int | float:
    """`times` the usual value; whole where that is a whole number."""
    if not set(change) <= {"times", "of"} or "times" not in change:
        raise ValueError(f"{path}: {change!r} given, expected a value or {{times: 2, of: a parameter}}")
    if isinstance(usual, bool) or not isinstance(usual, int | float):
        raise ValueError(f"{path}: {usual!r} cannot be multiplied; name a number with `of`")
    product = usual * change["times"]
    if isinstance(usual, int) and product != int(product):
        raise ValueError(f"{path}: {change['times']} times {usual} is {product:g}, expected a whole number")
    return type(usual)(product)


def with_absolute_files(values: Values, root: Path) -> tuple[Values, list[Path]]:
    """The values with the files that they name under `root` made absolute, and those files."""
    files: list[Path] = []

    def resolve(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: resolve(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [resolve(inner) for inner in value]
        if isinstance(value, str) and (root / value).is_file():
            files.append((root / value).resolve())
            return str(files[-1])
        return value

    return resolve(values), files
