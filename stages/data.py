"""Make the usual data of a task, data/tasks/<task>: fetched, read and made by its modules."""

from importlib import import_module
from pathlib import Path

from stages.cells.data import key_of_data, make_data
from stages.core.settings.errors import InputError
from stages.parameters import params
from stages.tasks.facts import DATA, FOLDER, find_facts


def fetch(root: Path, task: str) -> None:
    """Fetch what a task's data are made from."""
    run_part(root, task, "fetch")


def read(root: Path, task: str) -> None:
    """Bring files of any format into the form that a task's data are made from."""
    run_part(root, task, "read")


def make(root: Path, task: str) -> None:
    """Make the usual data of a task."""
    facts = find_facts(task)
    if not facts.made_by:
        raise InputError(f"task {task} makes up its data as it is trained; there are none to make")
    settings = params.load(root / params.FILE)
    make_data(root, task, settings, root / DATA / task, key_of_data(task, settings, root))


def run_part(root: Path, task: str, part: str) -> None:
    find_facts(task)
    if not (FOLDER / task / f"{part}.py").is_file():
        raise InputError(f"task {task} has nothing to {part}, expected recordings or another with {part}.py")
    import_module(f"stages.tasks.{task}.{part}").main(root)
