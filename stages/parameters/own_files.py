"""Files that somebody adds to a folder of the project: which are there, and what is said of mistaken ones."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stages.core.settings.errors import InputError


def list_visible(folder: Path, pattern: str) -> list[Path]:
    """List files that match, sorted, without hidden ones.

    Editors lock a.yaml by .#a.yaml, macOS adds ._a.yaml.
    """
    found = [path.relative_to(folder) for path in folder.glob(pattern)]
    return [folder / path for path in sorted(found) if not any(part[0] == "." for part in path.parts)]


@contextmanager
def explained(place: str, file: Path) -> Iterator[None]:
    """Turn errors inside that a file of Python raises into InputError with its place and line."""
    try:
        yield
    except InputError:
        raise
    except SyntaxError as error:
        raise InputError(f"{error.filename}, line {error.lineno}: {error.msg}; mend that line") from None
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if Path(frame.filename) == file]
        at = f", line {lines[-1]}" if lines else ""
        said = " ".join(str(error).split())
        raise InputError(f"{place}{at}: {type(error).__name__}: {said}; mend it") from None
