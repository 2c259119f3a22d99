"""Mistakes of the axis along which cells vary."""

from collections import Counter

from stages.core.settings.errors import InputError
from stages.studies.checks.changes import check_changes
from stages.studies.checks.names import check_tasks
from stages.studies.schema import Study
from stages.studies.tables import name_value


def check_axis(study: Study) -> None:
    """Raise InputError for a value of the axis that stands there twice, or changes that no task knows."""
    if study.axis is None:
        if any(test.over == "axis" for _, test in study.list_tests()):
            raise InputError("claims: over: 'axis' given, but the study has none; add one, or leave over out")
        return
    # -0.0 is 0
    twice = [
        at for at, count in Counter(name_value(value + 0) for value in study.axis.values).items() if count > 1
    ]
    if twice:
        raise InputError(f"axis.values: {twice[0]} given more than once; leave the others out")
    if study.axis.of and "." in study.axis.of:
        check_changes(study, "axis.of", {study.axis.of: None}, study.tasks)
    for name, setting in study.axis.settings.items():
        tasks, place = setting.get("tasks", study.tasks), f"axis.settings.{name}"
        if not isinstance(tasks, list) or not tasks:
            raise InputError(f"{place}.tasks: {tasks!r} given, expected a list, as [{study.tasks[0]}]")
        check_tasks(study, f"{place}.tasks", tasks)
        changes = {key: value for key, value in setting.items() if key != "tasks"}
        check_changes(study, place, changes, tasks)
