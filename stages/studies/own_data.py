"""Data that a study makes for its own cells, in place of the task's usual ones, and the floors of each."""

from collections import Counter

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
    """Where a task has the same data at every value of the axis, its floors belong to none."""
    count = Counter(floor["task"] for floor in floors.values())
    for floor in floors.values():
        if count[floor["task"]] == 1:
            floor["at"] = [""]
