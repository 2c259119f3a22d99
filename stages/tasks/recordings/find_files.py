"""The files of a folder of recordings by a template of their names."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from stages.core.settings.errors import InputError
from stages.files.names import find_twins
from stages.files.pointers import refuse_pointer

FIELD = re.compile(r"(\{\w*\}|\*)")
SHOWN = 3  # names in an error
TOUCHING = re.compile(rf"(?:{FIELD.pattern}){{2,}}")
# What files of one run may differ in: entities of BIDS and of pipelines on it, for what was made of a run or
# recorded at once; hemispheres; steps of the Human Connectome Project; the format
ENTITIES = "atlas|cohort|den|desc|echo|hemi|label|parc|pipeline|proc|rec|reg|res|scale|seg|space|stat|tpl"
STEPS = r"(Atlas|hp\d+)(_s\d+(\.\d+)?)?|MSM[A-Za-z]+|[rt]?clean|\d+(\.\d+)?mm"
VERSION = re.compile(
    rf"(^|(?<=/)|[_.])(({ENTITIES})-[^_/.]+(\.\d+)*|part-(mag|phase|real|imag)|[lr]h|{STEPS})(?=[_./]|$)"
)
# What of a name is no person's: what was recorded, in BIDS and in names like it, or made of it
RUN = re.compile(
    rf"(^|_)(ses|task|acq|dir|run)-[^_]+|_(ses(sion)?|run)\d+|_({ENTITIES})-[^_]+", re.IGNORECASE
)
LAST = re.compile(r"(.+?)[_.-]+([^_.-]+)")
NUMBERED = re.compile(r"(\D*\d+)(?:[_.-]?[A-Za-z]+\d*)?")  # 103818 and 103818_Retest, 01pre and 01post
FORMAT = re.compile(r"(\.(npy|npz|csv|nii|gz|nwb|mat|dtseries|ptseries))+$", re.IGNORECASE)


class Found(NamedTuple):
    """A run's file; `group` of people is "" where the template has none."""

    subject: str
    group: str
    path: Path


def find_runs(folder: Path, template: str, others: Sequence[str] = ()) -> list[Found]:
    """Find every run in the folder whose path fits the template, sorted by subject, then by path.

    {subject} is the person, {group} people who belong together; any other {name} and * stand for text without
    a slash. A field named twice is the same text twice. Hidden files, whose names begin with a dot, are no
    runs, nor is what fits the templates `others`. Raises InputError if nothing fits, or one run twice.
    """
    check_template(template)
    if not folder.is_dir():
        raise InputError(
            f"recordings.folder: {folder} is no folder; write an absolute path, or make the data there"
        )
    pattern = compile_template(template)
    # fnmatch has no escape but brackets
    parts = (
        "*" if FIELD.fullmatch(part) else re.sub(r"([?\[])", r"[\1]", part) for part in FIELD.split(template)
    )
    # a pattern finds links to files that are not there, where a plain name would pass them over
    paths = sorted(folder.glob("".join(parts).removesuffix("*") + "*"))
    fits = [
        (match, path) for path in paths if (match := pattern.fullmatch(path.relative_to(folder).as_posix()))
    ]
    for other in others:
        is_other = compile_template(other).fullmatch
        runs_alone = [(match, path) for match, path in fits if not is_other(match.string)]
        if fits and not runs_alone:
            raise InputError(
                f"recordings.files: '{template}' finds nothing but what '{other}' names too, expected runs; "
                "correct one of them"
            )
        fits = runs_alone
    if not fits:
        names = ", ".join(sorted(path.name for path in folder.iterdir())[:SHOWN])
        if not names:
            raise InputError(f"recordings.folder: {folder} is empty; put the recordings there, or correct it")
        raise InputError(
            f"recordings.files: no file fits '{template}' in {folder}, which holds {names}; correct the "
            "template or recordings.folder"
        )
    for _, path in fits:
        refuse_pointer(path)
    if folders := [path for _, path in fits if path.is_dir()]:
        name = folders[0].relative_to(folder).as_posix()
        raise InputError(
            f"recordings.files: {name} is a folder, expected a file; write what is in it too, as {template}/*"
        )
    for field in ("subject", "group"):
        refuse_like_names(field, [match.groupdict().get(field, "") for match, _ in fits])
    refuse_runs([match["subject"] for match, _ in fits])
    refuse_versions([(match["subject"], match.string) for match, _ in fits])
    runs = [Found(match["subject"], match.groupdict().get("group", ""), path) for match, path in fits]
    return sorted(runs, key=lambda run: (run.subject, run.path.as_posix()))


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


def refuse_runs(people: Sequence[str]) -> None:
    """Raise InputError where two names of people are one but for their run, session or task."""
    seen: dict[str, str] = {}
    for name in people:
        other = seen.setdefault(RUN.sub("", name), name)
        if other != name:
            raise InputError(
                f"recordings.files: {{subject}} is '{other}' and '{name}', one person's runs by name, "
                "expected the person alone, as nobody may be trained on and validated with; write such as "
                "sub-{subject}_task-{task}_run-{run}; where they are two people, rename them"
            )


def say_runs(people: Sequence[str]) -> None:
    """Print where names of people share all but their ends, and others have the same ends, as runs do."""
    parts = [match.groups() for name in people if (match := LAST.fullmatch(name))]
    of_end, of_start = (Counter(part[side] for part in parts) for side in (1, 0))
    for start, end in parts:
        if of_start[start] > 1 and of_end[end] > 1:
            print(
                f"recordings.files: {of_start[start]} people begin with '{start}', {of_end[end]} end in "
                f"'{end}'; where '{start}' is one person with several runs, write such as "
                "{subject}_{run} in the template, so that nobody is trained on and validated with"
            )
            return
    starts = Counter(match[1] for name in people if (match := NUMBERED.fullmatch(name)))
    for start, count in starts.items():
        if count > 1:
            print(
                f"recordings.files: {count} people begin with '{start}' and differ in letters after it; "
                "where they are one person, put the files in a folder for each person and write {subject}/*"
            )
            return


def refuse_versions(runs: Sequence[tuple[str, str]]) -> None:
    """Raise InputError where two files of a subject are one run, such as in two spaces: it would count twice.

    runs: subject and path of each.
    """
    seen: dict[tuple[str, str], str] = {}
    for subject, name in runs:
        other = seen.setdefault((subject, VERSION.sub("", FORMAT.sub("", name))), name)
        if other != name:
            raise InputError(
                f"recordings.files: {other} and {name} are one run in two versions or parts, expected one "
                "file; write the one that you want into the template, in place of * or a {name}; where they "
                "are two runs, rename them, such as run-1 and run-2"
            )


def refuse_like_names(field: str, names: Sequence[str]) -> None:
    """Raise InputError where two people or groups are one but for case: some file systems make them one."""
    if twins := find_twins(names):
        raise InputError(
            f"recordings.files: {{{field}}} is {twins[0]!r} and {twins[1]!r}, which differ by case, blanks "
            "or accents' way of writing alone; expected names that differ in more; rename one"
        )


def find_file(folder: Path, key: str, name: str) -> Path:
    """Find the file in the folder that recordings.<key> names. Raises InputError if there is none."""
    refuse_outside(key, name)
    refuse_pointer(folder / name)
    if not (folder / name).is_file():
        raise InputError(
            f"recordings.{key}: no file '{name}' in {folder}; correct it, or write null where there is none"
        )
    return folder / name


def find_structural(folder: Path, template: str, found: Sequence[Found]) -> dict[str | None, Path]:
    """Find the file of structural weights of each person, or of everybody (None) without {subject}."""
    if "{subject}" not in template:
        return {None: find_file(folder, "structural", template)}
    names = {
        each.subject: template.replace("{subject}", each.subject).replace("{group}", each.group).lstrip("/")
        for each in found
    }
    return {subject: find_file(folder, "structural", name) for subject, name in names.items()}


def refuse_outside(key: str, name: str) -> None:
    """Raise InputError for a path that dvc would not see change with the folder."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise InputError(
            f"recordings.{key}: '{name}' given, expected a path in recordings.folder; shorten it"
        )
