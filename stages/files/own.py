"""Files of a user's own that params.yaml names."""

from os.path import abspath
from pathlib import Path

FOLDER = Path("own")  # a dependency of each stage that reads such files


def find_own(root: Path, name: str, parameter: str) -> Path:
    """Find the path of a file. Prints how to have edits of it noticed if it is outside the folder."""
    path = root / name
    if not Path(abspath(path)).is_relative_to(abspath(root / FOLDER)):
        print(
            f"{parameter}: {name} is not in {FOLDER}/, so edits of it go unnoticed; move it there to be safe"
        )
    return path
