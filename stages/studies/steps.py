"""The values of a study's axis that a cell has."""

from dataclasses import dataclass

from stages.studies.changes import Values
from stages.studies.schema import Own, Study
from stages.studies.tables import name_value


@dataclass(frozen=True)
class Step:
    """A value of the axis: its name, "" for none, and what it changes."""

    at: str
    configuration: Values
    set: Values


ALONE = Step("", {}, {})


def list_steps(study: Study, task: str, configuration: Values, own: Own, takes: bool) -> list[Step]:
    """List the values of the axis that a cell has on a task; ALONE where the axis does not concern it.

    takes: whether its scheme has a setting of the axis's name.
    """
    axis = study.axis
    if axis is None or own.at == []:
        return [ALONE]
    if axis.settings:
        tasks = {name: setting.get("tasks", study.tasks) for name, setting in axis.settings.items()}
        steps = [
            Step(name, {}, {key: value for key, value in setting.items() if key != "tasks"})
            for name, setting in axis.settings.items()
            if task in tasks[name]
        ]
    elif "." in (of := axis.of or ""):
        steps = [Step(name_value(value), {}, {of: value}) for value in axis.values]
    elif of in configuration or not takes:
        return [ALONE]
    else:
        steps = [Step(name_value(value), {of: value}, {}) for value in axis.values]
    only = None if own.at is None else {name_value(at) for at in own.at}
    return [step for step in steps if only is None or step.at in only]
