"""Data that a study makes for its own cells, in place of the task's usual ones, and the floors of each."""

from collections import Counter

from stages.parameters.errors import InputError
from stages.studies.cells import FOLDER, OF_TRAINING, Values
from stages.studies.schema import Study
from stages.tasks.facts import DATA, find_facts


def of_data(changes: Values) -> Values:
    """Of the changed parameters those that ask for data of their own."""
    return {key: value for key, value in changes.items() if key.partition(".")[0] not in OF_TRAINING}


def place_data(
    name: str, study: Study, task: str, key: str, changes: Values, data: dict[str, Values]
) -> tuple[str | None, str]:
    """Folder of a cell's data, and the name of its floors; data of its own are added to `data`."""
    if not find_facts(task).made_by:
        return None, task
    if not changes and study.scale is None:
        return str(DATA / task), task
    wanted = {"task": task, "scale": study.scale, "set": changes}
    for known, values in data.items():
        if values == wanted:
            return str(FOLDER / name / "data" / known), known
    chosen = task if not changes else key
    data[chosen] = wanted
    return str(FOLDER / name / "data" / chosen), chosen


def add_floor(floors: dict[str, Values], name: str, values: Values, changes: Values) -> None:
    """Note that the data of these floors are those of a cell's value of the axis too."""
    scoped = {key: values[key] for key in ("task", "data", "scale")} | {"set": changes}
    floor = floors.setdefault(f"floors-{name}", {**scoped, "at": []})
    if values["at"] not in floor["at"]:
        floor["at"].append(values["at"])


def join_floors(floors: dict[str, Values]) -> None:
    """Where a task has the same data at every value of the axis, its floors belong to none.

    InputError where one value has floors of two data: tables of scores could not tell them apart.
    """
    count = Counter(floor["task"] for floor in floors.values())
    of_value: dict[tuple[str, str], Values] = {}
    for floor in floors.values():
        for at in floor["at"]:
            other = of_value.setdefault((floor["task"], at), floor)
            if other is not floor:
                both = " and ".join(describe(each["set"]) for each in (other, floor))
                raise InputError(
                    f"set: {floor['task']} has two data {f'at {at}' if at else 'without an axis'} ({both}), "
                    "whose baselines would have one name; name the data by axis: {settings: {one: "
                    "{network.noise: 0.1}, other: {}}}, with `at: [one]` in a cell of one alone"
                )
        if count[floor["task"]] == 1:
            floor["at"] = [""]


def describe(changes: Values) -> str:
    """Write in which parameters data differ from the usual ones."""
    return ", ".join(f"{key} {value}" for key, value in changes.items()) or "as usual"
