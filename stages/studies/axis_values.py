"""The values of a study's axis that a cell has."""

from dataclasses import dataclass

from stages.studies.changes import Values
from stages.studies.schema import Own, Study
from stages.studies.tables import name_value


@dataclass(frozen=True)
class AxisValue:
    """A value of the axis: its name, "" for none, and what it changes."""

    at: str
    configuration: Values
    set: Values


ALONE = AxisValue("", {}, {})


def list_axis_values(
    study: Study, task: str, configuration: Values, own: Own, takes: bool
) -> list[AxisValue]:
    """List the values of the axis that a cell has on a task; ALONE where the axis does not concern it.

    takes: whether its scheme has a setting of the axis's name.
    """
    axis = study.axis
    if axis is None or own.at == []:
        return [ALONE]
    if axis.settings:
        tasks = {name: setting.get("tasks", study.tasks) for name, setting in axis.settings.items()}
        values_of_cell = [
            AxisValue(name, {}, {key: value for key, value in setting.items() if key != "tasks"})
            for name, setting in axis.settings.items()
            if task in tasks[name]
        ]
    elif "." in (of := axis.of or ""):
        values_of_cell = [AxisValue(name_value(value), {}, {of: value}) for value in axis.values]
    elif of in configuration or not takes:
        return [ALONE]
    else:
        values_of_cell = [AxisValue(name_value(value), {of: value}, {}) for value in axis.values]
    only = None if own.at is None else {name_value(at) for at in own.at}
    return [value for value in values_of_cell if only is None or value.at in only]
