"""The key of a cell: everything that decides its numbers, readable, and its digest.

Two keys differ where the cell has to be made again: `diff` of two key.json says why. The key leaves out what
a cell was made on, such as the processor. So a cell counts as made on any machine.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from stages.cells.code import LOCK, ROOT, describe_code
from stages.cells.data import key_of_data
from stages.cells.key_files import Key, compare, digest_key, read_key
from stages.core.encodings.lookup.resolve import list_schemes
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.files.artifacts import require
from stages.files.hashing import hash_files
from stages.parameters.params import Params
from stages.parameters.yaml_text import parse
from stages.studies.cells import Cell, Expanded
from stages.studies.changes import look_up
from stages.tasks.facts import find_facts

DVC = "dvc.yaml"


def find_keys(root: Path, cells: Mapping[str, Cell], labels: Iterable[str]) -> dict[str, Key]:
    """Find the keys of some of a study's cells, whose data are made."""
    found: dict[str, Key] = {}
    digests: dict[Path | None, dict[str, str]] = {None: {}}

    def add(label: str) -> str:
        if label not in found:
            cell = cells[label]
            if cell.data not in digests:
                assert cell.data is not None
                digests[cell.data] = hash_data(root, cell.data)
            donors = {part: add(donor) for part, donor in cell.donors().items()}
            found[label] = key_of_cell(cell, digests[cell.data], donors)
        return digest_key(found[label])

    return {label: found[label] for label in labels if add(label)}


def key_of_cell(cell: Cell, data: Mapping[str, str], donors: Mapping[str, str]) -> Key:
    """Say what decides a cell's numbers.

    data: digests of its data's files, by name; donors: digest of the key of each cell that it starts from.
    """
    facts, settings, task = find_facts(cell.task), cell.settings, cell.task
    modules = [f"stages.tasks.{task}.{part}" for part in ("task", "facts")]
    modules += ["stages.cells.make_cell", *name_modules(cell.configuration)]
    return {
        "task": task,
        "seed": settings.seed,
        "seeds": list(cell.seeds),
        "configuration": {"scheme": cell.configuration.scheme, **cell.configuration.settings},
        "architecture": asdict(cell.configuration.architecture),
        "model": asdict(settings.model(task)),
        "training": asdict(settings.training(task)) if cell.trained else None,
        "compute": asdict(settings.compute),
        "parameters": {path: find_value(settings, task, path) for path in facts.trained_with},
        "sizes": settings.sizes(task).data,
        "data": dict(data),
        "start": {**asdict(cell.start), **donors} if cell.start else None,
        **describe_code(*modules),
    }


def name_modules(configuration: Configuration) -> list[str]:
    """Name the modules of a configuration's scheme and of its parts."""
    return [f"stages.core.encodings.{scheme}" for scheme in list_schemes(configuration)]


def find_value(settings: Params, task: str, path: str) -> Any:
    """Find a parameter of a task's section by its path, as network.mask_fraction."""
    return look_up({**settings.sections, "scale": settings.scale}, path.split("."), path)


def hash_data(root: Path, folder: Path) -> dict[str, str]:
    """Digest the arrays of a task's data, by the names of their files."""
    made = require(root / folder, f"stages data {folder.name}")
    names = [path.name for path in sorted(made.iterdir()) if path.suffix in (".npy", ".npz")]
    return dict(sorted(hash_files(made, names).items()))


def compare_data(root: Path, expanded: Expanded, folders: Container[Path | None]) -> Iterator[str]:
    """Write a line for each value that differs between what made the data in folders and what would now."""
    for data in (*expanded.usual.values(), *expanded.own.values()):
        if data.folder in folders:
            wanted = key_of_data(data.task, data.settings, root)
            yield from compare(read_key(root / data.folder) or {}, wanted, data.folder.as_posix())


def check_watched(keys: Mapping[str, Key]) -> None:
    """Raise InputError for code behind a cell that dvc does not watch, as it would skip an edit."""
    step = parse((ROOT / DVC).read_text(encoding="utf-8"))["stages"].get("train")
    if step is None:
        return
    watched = step.get("do", step)["deps"]  # of each study, or of one
    for label, key in keys.items():
        for path in map(Path, key["code"]):
            is_empty = path == Path("stages/__init__.py")
            if not is_empty and not any(path.is_relative_to(folder) for folder in watched):
                raise InputError(
                    f"{label}: imports {path}, which is not among the deps of train in {DVC}, so dvc would "
                    "skip an edit of it; move it beside the file that imports it, in stages"
                )


def check_installed(keys: Iterable[Key]) -> None:
    """Say where a library is installed in another version than keys name."""
    named = {pair for key in keys for pair in key["versions"].items()}
    for name, locked in sorted(named):
        with suppress(PackageNotFoundError):
            installed = version(name).partition("+")[0]  # which says for which GPU
            if installed != locked:
                print(
                    f"note: {name} {installed} is installed, but keys name {locked} of "
                    f"{LOCK.relative_to(ROOT)}, as if that had made the cells; run `make -B .venv/installed`",
                    flush=True,
                )
