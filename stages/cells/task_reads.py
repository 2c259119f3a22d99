"""Notice a parameter that a task trains with although its facts do not name it: keys would miss it."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import torch

from stages.core.settings.errors import InputError
from stages.parameters.params import Params, Section
from stages.studies.cells import Cell, read_data
from stages.tasks.facts import find_facts
from stages.tasks.interface import load_task


def check_task_reads(root: Path, cells: Mapping[str, Cell], fresh: Collection[str]) -> None:
    """Raise InputError where loading a task reads more of its section than `trained_with` names.

    fresh: the cells that are about to be trained, whose data are made; one of each task is looked at.
    """
    for task, label in {cells[label].task: label for label in fresh}.items():
        cell = cells[label]
        settings = watch_settings(cell.settings)
        load_task(task, settings, read_data(root, cell.data), torch.device("cpu"))
        for path in sorted(settings.seen - {*find_facts(task).trained_with}):
            raise InputError(
                f"{label}: load in stages/tasks/{task}/task.py reads {path}, but trained_with in facts.py "
                "does not name it: after an edit of it, cells would be kept; name it there"
            )


class Watched(Params):
    """Parameters that keep which values of the tasks' own sections are read, by path."""

    seen: set[str]

    def section(self, name: str, kind: type[Section]) -> Section:
        return watch(super().section(name, kind), name, self.seen)


def watch_settings(settings: Params) -> Watched:
    watched = object.__new__(Watched)
    vars(watched).update(vars(settings), seen=set())
    return watched


def watch(section: Section, name: str, seen: set[str]) -> Section:
    """Return the section, a dataclass, as one that adds each field that is read to `seen`."""
    kind: Any = type(section)
    known = {one.name for one in fields(kind)}

    def note(self: Section, key: str) -> Any:
        if key in known:
            seen.add(f"{name}.{key}")
        return object.__getattribute__(self, key)

    watched: Section = object.__new__(type(kind.__name__, (kind,), {"__getattribute__": note}))
    vars(watched).update(vars(section))
    return watched
