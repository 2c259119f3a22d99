"""What the results depend on: sizes of the scale, versions of packages, sums of the data."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from stages.parameters.params import Params
from stages.studies.load import load_study
from stages.studies.schema import list_studies
from stages.tasks.facts import DATA

SHORT = 12  # digits of a sum that are shown
REFERENCE = Path("data/reference")
MAPS = Path("reports/maps.npz")
VERSIONS = Path(__file__).parents[1] / "requirements.lock"
PACKAGES = ("torch", "numpy", "scipy", "pandas", "scikit-learn", "networkx", "matplotlib", "dvc")


def sum_up(path: Path) -> str:
    """sha256 of a file's bytes; of a folder, of its files' names and sums."""
    if path.is_dir():
        inside = sorted(file for file in path.rglob("*") if file.is_file())
        listing = "".join(f"{file.name} {sum_up(file)}\n" for file in inside)
        return hashlib.sha256(listing.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def list_sums(root: Path, tasks: Iterable[str]) -> dict[str, str]:
    """Path -> the first digits of its sum, of reference tables and of what is there of the tasks' data."""
    paths = [*sorted((root / REFERENCE).glob("*")), *(root / DATA / task for task in tasks), root / MAPS]
    return {path.relative_to(root).as_posix(): sum_up(path)[:SHORT] for path in paths if path.exists()}


def list_versions() -> dict[str, str]:
    lines = [line.split("==") for line in VERSIONS.read_text(encoding="utf-8").splitlines() if "==" in line]
    return {name.lower(): version for name, version in lines if name.lower() in PACKAGES}


def list_sizes(root: Path, settings: Params) -> list[dict[str, Any]]:
    """A row for each task of a study: its name, its training, its model, and `data`."""
    tasks = dict.fromkeys(task for name in list_studies(root) for task in load_study(root, name).tasks)
    return [
        {"task": task, "data": settings.sizes(task).data}
        | asdict(settings.training(task))
        | asdict(settings.model(task))
        for task in tasks
    ]
