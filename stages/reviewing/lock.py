"""dvc.lock read without a YAML library: what each stage runs, reads and writes, by hash.

Only lines as dvc 3 writes them are understood; any other is refused, so that nothing is skipped unseen.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

MD5 = re.compile(r"[0-9a-f]{32}(\.dir)?")
FIELDS = ("hash", "md5", "size", "nfiles", "isexec")


@dataclass
class Entry:
    """A file as a stage left or found it; a folder's `md5` is that of its listing and ends in .dir."""

    path: str
    md5: str = ""


@dataclass
class Stage:
    cmd: str = ""
    deps: list[Entry] = field(default_factory=list)
    outs: list[Entry] = field(default_factory=list)


def read(path: Path) -> dict[str, Stage]:
    """Stages of a dvc.lock by name; ValueError names the first line that is not as dvc writes it."""
    stages: dict[str, Stage] = {}
    stage, part = Stage(), ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        indent = len(line) - len(line.lstrip(" "))
        try:
            if indent == 0:
                known(line == ("schema: '2.0'", "stages:")[number - 1])
            elif indent == 2:
                name = plain(line.strip().removesuffix(":"))
                known(name not in stages and line.endswith(":"))
                stage = stages[name] = Stage()
            elif indent == 4 and not line.startswith("    - "):
                part, _, value = line.strip().partition(":")
                known(part == "cmd" or (part in ("deps", "params", "outs") and not value))
                stage.cmd += plain(value.strip())
            elif part == "cmd":
                stage.cmd += f" {line.strip()}"  # long commands are folded
            elif part != "params":
                _entry(getattr(stage, part), line[4:])
        except (AttributeError, IndexError, ValueError):
            shown = line.strip()[:80]
            raise ValueError(f"{path}, line {number}: not as dvc writes it: {shown}") from None
    for name, stage in stages.items():
        for entry in stage.deps + stage.outs:
            if not MD5.fullmatch(entry.md5):
                raise ValueError(f"{path}: stage {name}: {entry.path} has no md5")
    return stages


def _entry(entries: list[Entry], line: str) -> None:
    key, _, value = line[2:].partition(": ")
    if line.startswith("- "):
        known(key == "path")
        entries.append(Entry(plain(value)))
        return
    known(line.startswith("  ") and key in FIELDS and (key != "hash" or value == "md5"))
    if key == "md5":
        entries[-1].md5 = plain(value)


def plain(scalar: str) -> str:
    """A YAML scalar on one line as text."""
    if scalar[:1] == "'":
        known(len(scalar) > 1 and scalar.endswith("'"))
        return scalar[1:-1].replace("''", "'")
    return str(json.loads(scalar)) if scalar[:1] == '"' else scalar


def known(expected: bool) -> None:
    """ValueError unless the line is as expected."""
    if not expected:
        raise ValueError


def pipelines(root: Path) -> dict[str, Path]:
    """The lock of every pipeline under `root` that has run, by the pipeline's file."""
    locks = [path for path in (root / "dvc.lock", *sorted(root.glob("stages/*/dvc.lock"))) if path.is_file()]
    return {path.with_suffix(".yaml").relative_to(root).as_posix(): path for path in locks}


def outputs(path: Path) -> dict[str, str]:
    """md5 of every output in a dvc.lock, by path; all stages run at the project's root."""
    return {out.path: out.md5 for stage in read(path).values() for out in stage.outs}


def all_outputs(root: Path) -> dict[str, str]:
    """The same of all pipelines."""
    return {out: md5 for path in pipelines(root).values() for out, md5 in outputs(path).items()}
