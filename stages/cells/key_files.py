"""Write and read a key, key.json, in the folder of what it decided; its digest names finished cells."""

import json
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
