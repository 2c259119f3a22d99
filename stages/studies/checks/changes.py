"""Changes of parameters that are of no task of a study, or have no value."""

from math import isfinite

from stages.core.settings.errors import InputError
from stages.parameters import params
from stages.studies.changes import Values
from stages.studies.schema import Study


def check_changes(study: Study, place: str, changes: Values, tasks: list[str]) -> None:
    """Raise InputError for a parameter of a task that is not among these, or what cannot be a value."""
    for path, value in changes.items():
        section, *names = path.split(".")
        if path == "scale":
            raise InputError(f"{place}: 'scale' given; expected the study's own key, scale: {value}")
        if section in params.task_names() and section not in tasks:
            raise InputError(f"{place}: '{path}' is of {section}; expected {', '.join(tasks)} or no task")
        if len(names) > 1:
            raise InputError(f"{place}: '{path}' given, expected a section and a name, as training.epochs")
        if section == "pe" and not (place == "set" and study.focus):
            key = ".".join(["configuration", *names])  # a key of every cell's
            raise InputError(f"{place}: '{path}' given, which is of `focus` alone; expected {key}")
        for one in value.values() if study.is_by_task(value) else [value]:
            if isinstance(one, dict) and not is_factor(one):
                raise InputError(
                    f"{place}.{path}: {one!r} given, expected a value, or {{times: 2}}; name each "
                    "parameter of a section, as training.epochs: 3"
                )


def is_factor(value: Values) -> bool:
    """Tell whether it says {times: 2}, of the usual value or of that of a parameter."""
    times = value.get("times")
    is_number = isinstance(times, int | float) and not isinstance(times, bool) and isfinite(times)
    return is_number and set(value) <= {"times", "of"} and isinstance(value.get("of", ""), str)
