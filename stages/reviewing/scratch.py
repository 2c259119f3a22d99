"""A scratch copy of what stages read: code, parameters and inputs, so that no artifact is touched."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from stages.files.artifacts import write_atomically
from stages.reviewing.pipeline import Stage

PARAMS = "params.yaml"


def inputs(root: Path, stages: Sequence[Stage]) -> list[str]:
    """Sorted paths of every file that the stages read and do not make themselves.

    Only declared dependencies and files that params.yaml names are among them: a stage that reads anything
    else fails in the copy. Raises ValueError for one that is not there.
    """
    made = [Path(out) for stage in stages for out in stage.outs]
    found = {PARAMS}
    found |= {text for text in map(str, _values(load(root))) if _inside(text) and (root / text).is_file()}
    for stage in stages:
        for dep in stage.deps:
            if any(Path(dep).is_relative_to(out) for out in made):
                continue
            if not (root / dep).exists() and not any(out.is_relative_to(dep) for out in made):
                raise ValueError(
                    f"{dep} not found, which {stage.name} reads; make it with `make repro`, or replay the "
                    "stage that makes it too"
                )
            inside = {file.relative_to(root) for file in files(root / dep)}
            found |= {str(file) for file in inside if not any(file.is_relative_to(out) for out in made)}
    packages = {parent / "__init__.py" for file in found for parent in Path(file).parents}
    return sorted(found | {str(file) for file in packages if (root / file).is_file()})


def files(path: Path) -> Iterator[Path]:
    """`path` itself, or every file in it; leftovers of an interrupted run are none."""
    if path.is_file():
        yield path
    for file in sorted(path.rglob("*")):
        parts = file.relative_to(path).parts
        if file.is_file() and not any(part.endswith(".part") or part == "__pycache__" for part in parts):
            yield file


def load(root: Path) -> dict[str, Any]:
    values: dict[str, Any] = yaml.safe_load((root / PARAMS).read_text())
    return values


def fill(root: Path, scratch: Path, paths: Sequence[str], parameters: Mapping[str, Any]) -> None:
    """A fresh copy of `paths` of root, with those parameters, in the place of what `scratch` held."""
    with write_atomically(scratch) as beside:
        for path in paths:
            (beside / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / path, beside / path)
        (beside / PARAMS).write_text(yaml.safe_dump(dict(parameters), sort_keys=False))


def with_settings(parameters: dict[str, Any], settings: Sequence[str]) -> dict[str, Any]:
    """Parameters with those of `settings`, each `key=value`, about how training computes.

    Raises ValueError for any other: what the experiments are is not a replay's to change.
    """
    changed = {**parameters, "compute": dict(parameters.get("compute", {}))}
    for setting in settings:
        key, equals, value = setting.partition("=")
        section, _, name = key.rpartition(".")
        known = changed["compute"] if section == "compute" else {"device"} if not section else {}
        if not equals or name not in known:
            choices = ["device", *(f"compute.{one}" for one in changed["compute"])]
            raise ValueError(
                f"--set '{setting}' given, expected key=value with one of {', '.join(choices)}; for other "
                "parameters there is `dvc exp run -S`"
            )
        try:
            (changed["compute"] if section else changed)[name] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise ValueError(f"--set '{setting}': {value} is no YAML; expected a number or a word") from None
    return changed


def digest(root: Path, paths: Sequence[str]) -> str:
    """SHA-256 of the files' names and bytes."""
    listing = hashlib.sha256()
    for path in paths:
        with (root / path).open("rb") as file:
            listing.update(f"{path} {hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return listing.hexdigest()


def _inside(path: str) -> bool:
    return not Path(path).is_absolute() and ".." not in Path(path).parts


def _values(value: Any) -> Iterator[Any]:
    """Every scalar in nested dictionaries and lists."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    if inner is None:
        yield value
    else:
        for one in inner:
            yield from _values(one)
