"""The files of a folder of recordings by a template of their names."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from stages.parameters.errors import InputError

FIELD = re.compile(r"(\{\w*\}|\*)")
SHOWN = 3  # names in an error
# Entities of BIDS in which files of one run differ: what was made of it, or what was recorded at once
VERSION = re.compile(r"_(space|res|den|desc|rec|echo|part)-[^_/.]+|\.gz$")


class Found(NamedTuple):
    """A run's file; `group` of people is "" where the template has none."""

    subject: str
    group: str
    path: Path


def find_runs(folder: Path, template: str) -> list[Found]:
    """Every run in the folder whose path fits the template, sorted by subject, then by path.

    {subject} is the person, {group} people who belong together; any other {name} and * stand for text without
    a slash. A field named twice is the same text twice. Raises InputError if nothing fits, or one run twice.
    """
    if "{subject}" not in template:
        raise InputError(f"recordings.files: '{template}' given, expected {{subject}} in it; add it")
    refuse_outside("files", template)
    if not folder.is_dir():
        raise InputError(
            f"recordings.folder: {folder} is no folder; write an absolute path, or make the data there"
        )
    pattern = compile_template(template)
    # fnmatch has no escape but brackets
    parts = (
        "*" if FIELD.fullmatch(part) else re.sub(r"([?\[])", r"[\1]", part) for part in FIELD.split(template)
    )
    paths = sorted(folder.glob("".join(parts)))
    fits = [
        (match, path) for path in paths if (match := pattern.fullmatch(path.relative_to(folder).as_posix()))
    ]
    if not fits:
        names = ", ".join(sorted(path.name for path in folder.iterdir())[:SHOWN])
        if not names:
            raise InputError(f"recordings.folder: {folder} is empty; put the recordings there, or correct it")
        raise InputError(
            f"recordings.files: no file fits '{template}' in {folder}, which holds {names}; correct the "
            "template or recordings.folder"
        )
    if folders := [path for _, path in fits if path.is_dir()]:
        name = folders[0].relative_to(folder).as_posix()
        raise InputError(
            f"recordings.files: {name} is a folder, expected a file; write what is in it too, as {template}/*"
        )
    refuse_versions([path.relative_to(folder).as_posix() for _, path in fits])
    runs = [Found(match["subject"], match.groupdict().get("group", ""), path) for match, path in fits]
    return sorted(runs, key=lambda run: (run.subject, run.path.as_posix()))


def compile_template(template: str) -> re.Pattern[str]:
    """The template as a regular expression on paths."""
    pattern, named = "", set()
    for part in FIELD.split(template):
        name = part.strip("{}")
        if part == "*":
            pattern += "[^/]*"
        elif not FIELD.fullmatch(part):
            pattern += re.escape(part)
        elif not name.isidentifier():
            raise InputError(f"recordings.files: {part} in '{template}', expected a name such as {{run}}")
        else:
            pattern += f"(?P={name})" if name in named else f"(?P<{name}>[^/]+?)"
            named.add(name)
    return re.compile(pattern)


def refuse_versions(names: Sequence[str]) -> None:
    """Raise InputError where two files are one run, such as in two spaces: it would count twice."""
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(VERSION.sub("", name), name)
        if other != name:
            raise InputError(
                f"recordings.files: {other} and {name} are one run in two versions, expected one; write the "
                "one that you want into the template, in place of * or a {name}"
            )


def find_file(folder: Path, key: str, name: str) -> Path:
    """The file in the folder that recordings.<key> names; InputError where there is none."""
    refuse_outside(key, name)
    if not (folder / name).is_file():
        raise InputError(
            f"recordings.{key}: no file '{name}' in {folder}; correct it, or write null where there is none"
        )
    return folder / name


def refuse_outside(key: str, name: str) -> None:
    """Raise InputError for a path that dvc would not see change with the folder."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise InputError(
            f"recordings.{key}: '{name}' given, expected a path in recordings.folder; shorten it"
        )
