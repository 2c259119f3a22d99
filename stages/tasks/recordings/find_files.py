"""The files of a folder of recordings, by a template of their names."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from stages.core.settings.errors import InputError
from stages.files.pointers import refuse_pointer
from stages.tasks.recordings.facts import Settings
from stages.tasks.recordings.names import refuse_like_names, refuse_runs, refuse_versions
from stages.tasks.recordings.templates import check_template, compile_glob, compile_template, refuse_outside

SHOWN = 3  # names in an error


class Found(NamedTuple):
    """A run's file; `group` of people is "" where the template has none."""

    subject: str
    group: str
    path: Path


def find_recordings(folder: Path, settings: Settings) -> list[Found]:
    """Find every run that the settings ask for, without files of another use."""
    others = (settings.positions, settings.structural, settings.parcellation)
    return find_runs(folder, settings.files, [name for name in others if name])


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
    paths = sorted(folder.glob(compile_glob(template)))
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
    refuse_versions({match.string: match["subject"] for match, _ in fits})
    runs = [Found(match["subject"], match.groupdict().get("group", ""), path) for match, path in fits]
    return sorted(runs, key=lambda run: (run.subject, run.path.as_posix()))


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
