"""Hold every folder listing that dvc reads to its name and to its folder; dvc itself takes any that parses.

A listing, `<md5>.dir`, says which object becomes which file of a folder. dvc holds it against that md5 only
after use, and joins its paths unseen: one that a remote altered would write outside the folder.
"""

import hashlib
import json
import re
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from dvc_data.hashfile.tree import Tree
from dvc_objects.errors import ObjectFormatError

from stages.core.settings.errors import InputError

MD5 = re.compile(r"[0-9a-f]{32}")


class ListingError(InputError, ObjectFormatError):
    """A listing that is not what its name says, or that leads out of its folder."""


def hold_listings() -> None:
    """Make dvc read no other listings in this process from now on."""
    Tree.load = load  # type: ignore[method-assign]  # every reader inside dvc goes through it


def load(odb: Any, hash_info: Any, hash_name: str | None = None) -> Tree:
    """Do what Tree.load of dvc_data does, on bytes that are read once and held against their name."""
    found = odb.get(hash_info.value)
    with found.fs.open(found.path, "rb") as file:
        entries = read_listing(str(hash_info.value), file.read())
    if hash_name is None and odb.hash_name == "md5-dos2unix":
        hash_name = odb.hash_name
    tree: Tree = Tree.from_list(entries, hash_name=hash_name)
    tree.path, tree.fs, tree.hash_info, tree.oid = found.path, found.fs, hash_info, hash_info.value
    return tree


def read_listing(name: str, content: bytes) -> list[dict[str, Any]]:
    """Return the entries of a listing. ListingError: not the bytes of its name, or a path leads elsewhere."""
    if hashlib.md5(content, usedforsecurity=False).hexdigest() != name.removesuffix(".dir"):
        raise ListingError(f"folder listing {name} was altered: its bytes are not those of its name")
    try:
        entries: list[dict[str, Any]] = json.loads(content)
        paths = [str(entry["relpath"]) for entry in entries]
        md5s = [str(entry["md5"]) for entry in entries]
    except (ValueError, TypeError, KeyError) as error:
        raise ListingError(f"folder listing {name} cannot be read: {error!r}") from None
    folders = {str(parent) for path in paths for parent in PurePosixPath(path).parents}
    seen = set(folders)
    for path, md5 in zip(paths, md5s, strict=True):
        if not is_inside(path) or path in seen or not MD5.fullmatch(md5):
            raise ListingError(
                f"folder listing {name} holds {path!r} of {md5[:40]!r}, "
                "expected new paths inside the folder, each of an md5"
            )
        seen.add(path)
    return entries


def is_inside(path: str) -> bool:
    """Tell whether a path is relative, normal and stays in its folder, on Windows too."""
    # Windows ends a name before trailing dots and blanks, so that `.. ` is `..` there
    return not any(
        not part.strip(". ") or PureWindowsPath(part).drive or {"\\", "\0"} & set(part)
        for part in path.split("/")
    )
