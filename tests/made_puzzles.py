"""Puzzles as the stage generates them at the smallest scale."""

from pathlib import Path
from typing import Any

from changed_params import ROOT, change_settings

from stages.files import artifacts
from stages.tasks.grid.generate import make


def generate_puzzles(root: Path, seed: int = 0, **grid: Any) -> artifacts.Arrays:
    """Generate arrays that the stage writes at scale smoke, with these settings of the section `grid`."""
    changes = {"seed": seed} | {f"grid.{name}": value for name, value in grid.items()}
    make(change_settings(changes), ROOT, root / "made")
    return artifacts.read_arrays(root / "made")
