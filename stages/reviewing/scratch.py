"""A scratch copy of what stages read: code, parameters and inputs, so that no artifact is touched."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from stages.files.artifacts import write_atomically
from stages.files.hashing import list_files
from stages.parameters import params
from stages.reviewing.deviation import leaves
from stages.reviewing.pipeline import Stage


def list_inputs(root: Path, stages: Sequence[Stage]) -> list[str]:
    """Sorted paths of every file that the stages read and do not make themselves.

    Only declared dependencies and files that params.yaml names are among them: a stage that reads anything
    else fails in the copy. Raises ValueError for one that is not there.
    """
    outs = [Path(out) for stage in stages for out in stage.outs]
    values = {str(value) for _, value in leaves(params.read(root / params.FILE))}
    inside = {text for text in values if not Path(text).is_absolute() and ".." not in Path(text).parts}
    paths = {params.FILE} | {text for text in inside if (root / text).is_file()}
    for stage in stages:
        for dep in stage.deps:
            if any(Path(dep).is_relative_to(out) for out in outs):
                continue
            if not (root / dep).exists() and not any(out.is_relative_to(dep) for out in outs):
                raise ValueError(
                    f"{dep} not found, which {stage.name} reads; make it with `make repro`, or replay the "
                    "stage that makes it too"
                )
            files = {file.relative_to(root) for file in list_files(root / dep)}
            paths |= {str(file) for file in files if not any(file.is_relative_to(out) for out in outs)}
    packages = {parent / "__init__.py" for path in paths for parent in Path(path).parents}
    return sorted(paths | {str(file) for file in packages if (root / file).is_file()})


def fill_copy(root: Path, copy: Path, paths: Sequence[str], parameters: Mapping[str, Any]) -> None:
    """A fresh copy of `paths` of root, with those parameters, in the place of what `copy` held."""
    with write_atomically(copy) as beside:
        for path in paths:
            (beside / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / path, beside / path)
        (beside / params.FILE).write_text(yaml.safe_dump(dict(parameters), sort_keys=False))


def apply_settings(parameters: dict[str, Any], settings: Sequence[str]) -> dict[str, Any]:
    """Parameters with those of `settings`, each `key=value`, about how training computes.

    Raises ValueError for any other: a replay must not change what the experiments are.
    """
    changed = {**parameters, "compute": dict(parameters.get("compute", {}))}
    places = {"device": changed} | {f"compute.{name}": changed["compute"] for name in changed["compute"]}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or key not in places:
            raise ValueError(
                f"--set '{setting}' given, expected key=value with one of {', '.join(places)}; for other "
                "parameters there is `dvc exp run -S`"
            )
        try:
            places[key][key.rpartition(".")[2]] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise ValueError(f"--set '{setting}': {value} is no YAML; expected a number or a word") from None
    return changed
