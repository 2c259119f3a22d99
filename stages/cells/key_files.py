"""Write and read a key, key.json, in the folder of what it decided; its digest names finished cells."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from stages.files.artifacts import write_json

FILE = "key.json"
Key = dict[str, Any]


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


def compare(made: Any, wanted: Any, place: str = "") -> Iterator[str]:
    """Write a line for each value that differs between two keys, by its path."""
    if isinstance(made, dict) and isinstance(wanted, dict):
        for name in made | wanted:
            yield from compare(made.get(name), wanted.get(name), f"{place}.{name}" if place else name)
    elif made != wanted:
        yield f"{place}: {shorten(made)} when it was made, {shorten(wanted)} now"


def shorten(value: Any) -> str:
    text = "absent" if value is None else str(value)
    return text if len(text) < 40 else f"{text[:12]}..."
