"""Templates of files' names: {subject} and other fields, and * for any text without a slash."""

import re
from pathlib import Path

from stages.core.settings.errors import InputError

FIELD = re.compile(r"(\{\w*\}|\*)")
TOUCHING = re.compile(rf"(?:{FIELD.pattern}){{2,}}")


def check_template(template: str) -> None:
    """Raise InputError for a template of runs that names no person, or leaves open where a field ends."""
    if "{subject}" not in template:
        raise InputError(f"recordings.files: '{template}' given, expected {{subject}} in it; add it")
    refuse_outside("files", template)
    for part in FIELD.findall(template):
        if part != "*" and not part.strip("{}").isidentifier():
            raise InputError(f"recordings.files: {part} in '{template}', expected a name such as {{run}}")
    if touching := TOUCHING.search(template):
        raise InputError(
            f"recordings.files: {touching[0]} in '{template}', expected text between fields, since nothing "
            "tells where the first ends; write what stands there, such as {subject}_*; a * for each folder"
        )


def compile_template(template: str) -> re.Pattern[str]:
    """Compile the template to a regular expression on paths."""
    pattern, named = "", set()
    for part in FIELD.split(template):
        name = part.strip("{}")
        if FIELD.fullmatch(part) and (not pattern or pattern.endswith("/")):
            pattern += r"(?!\.)"
        if part == "*":
            pattern += "[^/]*"
        elif not FIELD.fullmatch(part) or not name.isidentifier():
            pattern += re.escape(part)
        else:
            pattern += f"(?P={name})" if name in named else f"(?P<{name}>[^/]+?)"
            named.add(name)
    return re.compile(pattern)


def compile_glob(template: str) -> str:
    """Write a pattern of pathlib that finds at least what fits the template."""
    # fnmatch has no escape but brackets
    parts = (
        "*" if FIELD.fullmatch(part) else re.sub(r"([?\[])", r"[\1]", part) for part in FIELD.split(template)
    )
    # a pattern finds links to files that are not there, where a plain name would pass them over
    return "".join(parts).removesuffix("*") + "*"


def refuse_outside(key: str, name: str) -> None:
    """Raise InputError for a path that dvc would not see change with the folder."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise InputError(
            f"recordings.{key}: '{name}' given, expected a path in recordings.folder; shorten it"
        )
