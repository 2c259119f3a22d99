"""Data of a task with the key of what made them: the usual ones, or those of a study's own."""

from importlib import import_module
from pathlib import Path

from stages.cells.code import describe_code, load_code
from stages.cells.key_files import Key, read_key, write_key
from stages.files.artifacts import remove
from stages.files.hashing import hash_folders
from stages.files.own import FOLDER as OWN
from stages.files.sums import is_whole, write_sums
from stages.parameters.params import Params
from stages.tasks.facts import find_facts


def key_of_data(task: str, settings: Params, root: Path) -> Key:
    """Say what decides data of a task, as they are made from parameters and files."""
    facts = find_facts(task)
    return {
        "task": task,
        "seed": settings.seed,
        "parameters": settings.sections.get(task),
        "sizes": settings.sizes(task).data,
        "files": hash_folders(root, *facts.given, OWN),
        **describe_code(facts.made_by),
    }


def is_made(folder: Path, key: Key) -> bool:
    """Tell whether data of that key lie there, unaltered."""
    return read_key(folder) == key and is_whole(folder)


def make_data(root: Path, task: str, settings: Params, folder: Path, key: Key) -> None:
    """Make data of a task; key and sums come last, so that what is cut off is known."""
    load_code(key["code"])
    remove(folder)
    import_module(find_facts(task).made_by).make(settings, root, folder)
    write_key(folder, key)
    write_sums(folder)
