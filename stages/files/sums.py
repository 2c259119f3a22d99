"""The sums of a folder's files, in the folder: they tell whether it is as it was made."""

from pathlib import Path

from stages.files.artifacts import write_bytes
from stages.files.hashing import hash_file

SUMS = "SHA256SUMS"  # of each folder's files, as `sha256sum -c` reads it


def write_sums(folder: Path) -> None:
    """Write the digest of each file of a folder into the folder."""
    lines = [f"{hash_file(path)}  {path.name}\n" for path in sorted(folder.iterdir())]
    write_bytes(folder / SUMS, "".join(lines).encode())


def is_whole(folder: Path) -> bool:
    """Tell whether a folder holds the files that its sums name, unaltered, and no others."""
    try:
        listed = dict(line.split("  ")[::-1] for line in (folder / SUMS).read_text("utf-8").splitlines())
        found = {path.name: hash_file(path) for path in folder.iterdir() if path.name != SUMS}
    except (OSError, ValueError):
        return False
    return found == listed
