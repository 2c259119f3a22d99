"""The files of a folder of recordings by a template of their names."""

import re
from pathlib import Path
from typing import NamedTuple

from stages.parameters.errors import InputError

FIELD = re.compile(r"(\{\w*\}|\*)")
SHOWN = 3  # names in an error


class Found(NamedTuple):
    """A run's file; `group` of people is "" where the template has none."""

    subject: str
    group: str
    path: Path


def find_runs(folder: Path, template: str) -> list[Found]:
    """Every run in the folder whose path fits the template, sorted by subject, then by path.

    {subject} is the person, {group} people who belong together; any other {name} and * stand for text without
    a slash. A field named twice is the same text twice. Raises InputError if nothing fits.
    """
    if "{subject}" not in template:
        raise InputError(f"recordings.files: '{template}' given, expected {{subject}} in it; add it")
    if Path(template).is_absolute() or ".." in Path(template).parts:
        raise InputError(
            f"recordings.files: '{template}' given, expected a path in recordings.folder; shorten it"
        )
    if not folder.is_dir():
        raise InputError(f"recordings.folder: {folder} is no folder; correct it or make the data there")
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
        names = ", ".join(sorted(path.name for path in folder.iterdir())[:SHOWN]) or "nothing"
        raise InputError(
            f"recordings.files: no file fits '{template}' in {folder}, which holds {names}; correct the "
            "template"
        )
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
