"""The key of a cell: everything that decides its numbers, readable, and its digest.

Two keys differ where the cell has to be made again: `diff` of two key.json says why. What a cell was made on,
such as the processor, is no part of the key, so that a cell counts as made on any machine.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from stages.cells.code import ROOT, digest_code, find_code, list_libraries
from stages.files.artifacts import require, write_json
from stages.files.hashing import hash_files, list_files
from stages.files.own import FOLDER as OWN
from stages.parameters.params import Params
from stages.studies.cells import Cell, Data
from stages.studies.changes import look_up
from stages.tasks.facts import find_facts

FILE = "key.json"
LOCK = ROOT / "stages/requirements.lock"
CALLED = {"sklearn": "scikit-learn", "yaml": "pyyaml", "ruamel": "ruamel.yaml"}  # in LOCK
Key = dict[str, Any]


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
    modules += ["stages.cells.make_cell", f"stages.encodings.{cell.configuration.scheme}"]
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


def key_of_data(data: Data, root: Path) -> Key:
    """Say what decides data of a study's own, as they are made from parameters and files."""
    facts, settings = find_facts(data.task), data.settings
    return {
        "task": data.task,
        "seed": settings.seed,
        "parameters": settings.sections.get(data.task),
        "sizes": settings.sizes(data.task).data,
        "files": hash_folders(root, *facts.given, OWN),
        **describe_code(facts.made_by),
    }


def find_value(settings: Params, task: str, path: str) -> Any:
    """Find a parameter of a task's section by its path, as network.mask_fraction."""
    return look_up({**settings.sections, "scale": settings.scale}, path.split("."), path)


@cache
def describe_code(*modules: str) -> Key:
    """Digest the code behind modules and of their kernels, and name the versions of what it imports."""
    return {"code": digest_code("stages.kernels", *modules), "versions": list_versions(*modules)}


def list_versions(*modules: str) -> dict[str, str]:
    """List the versions that the lock has of every library behind modules."""
    named = dict(re.findall(r"^([\w.-]+)==(\S+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE))
    locked = {name.lower(): version for name, version in named.items()}
    libraries = [CALLED.get(name, name) for name in list_libraries(find_code(*modules))]
    return {name: locked[name] for name in sorted(libraries) if name in locked}


def hash_folders(root: Path, *paths: Path) -> dict[str, str]:
    """Digest all files of these files and folders, by their path."""
    files = [file for path in paths for file in list_files(root / path)]
    return dict(sorted(hash_files(root, [str(file.relative_to(root)) for file in files]).items()))


def hash_data(root: Path, folder: Path) -> dict[str, str]:
    """Digest the arrays of a task's data, by the names of their files."""
    made = require(root / folder, f"stages data {folder.name}")
    names = [path.name for path in sorted(made.iterdir()) if path.suffix in (".npy", ".npz")]
    return dict(sorted(hash_files(made, names).items()))


def digest_key(key: Key) -> str:
    return sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()


def write_key(folder: Path, key: Key) -> None:
    write_json(folder / FILE, key)


def read_key(folder: Path) -> Key | None:
    """Read the key of a folder; None where it has none."""
    try:
        key: Key = json.loads((folder / FILE).read_bytes())
    except (OSError, ValueError):
        return None
    return key
