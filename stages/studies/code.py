"""The code that a study's cells are trained and scored with, by groups that rerun together."""

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

from stages.studies.cells import FOLDER, Values
from stages.tasks.facts import find_facts

# what a trained cell depends on, whatever its task and encoding
OF_TRAINING = (
    "stages/requirements.lock",
    "stages/train.py",
    "stages/encodings/bases",
    "stages/encodings/interface.py",
    "stages/files",
    "stages/model",
    "stages/parameters",
    "stages/positions",
    "stages/randomness",
    "stages/studies/cells.py",
    "stages/tasks/bases",
    "stages/tasks/facts.py",
    "stages/tasks/interface.py",
    "stages/training",
)
OF_SCORING = (
    *(path for path in OF_TRAINING if path not in ("stages/requirements.lock", "stages/train.py")),
    "stages/score.py",
    "stages/measures",
    "stages/studies/distinct_rows.py",
    "stages/studies/measuring.py",
    "stages/tasks/probe/facts.py",
    "stages/tasks/probe/task.py",
    "stages/tasks/scoring",
)
TRAINING, SCORING = "training", "scoring"
CODE, SCHEMES = Path(__file__).parents[2], "stages.encodings"
Groups = dict[str, list[str]]  # name -> files and folders of code


def digest_folder(study: str) -> Path:
    """Where digests of the code lie: <group>.txt for each group."""
    return FOLDER / study / "code"


def group_of_task(task: str, step: str) -> str:
    """What a task adds to TRAINING or SCORING."""
    return f"{task}_{step}"


def task_code(task: str, *parts: str) -> list[str]:
    return [f"stages/tasks/{task}/{part}.py" for part in parts]


def scheme_code(scheme: str) -> str:
    return f"stages/encodings/{scheme}.py"


def scheme_files(scheme: str) -> list[str]:
    """The file of a scheme and those of its folder that it imports, directly or through others.

    ASSUME a scheme reads no other file; what `np.load` takes is in no digest.
    """
    found: list[str] = []
    left = [scheme]
    while left:
        path = scheme_code(left.pop().replace(".", "/"))
        if path not in found and (CODE / path).is_file():
            found.append(path)
            left += imported(ast.parse((CODE / path).read_text(encoding="utf-8")))
    return found or [scheme_code(scheme)]


def imported(tree: ast.Module) -> list[str]:
    """Names of modules below stages.encodings that its import statements may mean."""
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = ".".join(filter(None, [SCHEMES if node.level else "", node.module]))
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    inside = [name.removeprefix(f"{SCHEMES}.") for name in names if name.startswith(f"{SCHEMES}.")]
    return [name for name in inside if name != "interface" and not name.startswith("bases.")]


def list_groups(cells: Mapping[str, Values]) -> Groups:
    """The groups that the cells of cells.yaml, by group of cells, depend on.

    A scheme is a group of its own name; that of `pe` in params.yaml is none.
    """
    every = [cell for of_group in cells.values() for cell in of_group.values()]
    groups: Groups = {TRAINING: [*OF_TRAINING], SCORING: [*OF_SCORING]}
    for task in unique(cell["task"] for cell in every):
        groups[group_of_task(task, TRAINING)] = task_code(task, "facts", "task")
        scored = [*task_code(task, "facts", "task", "scoring"), *find_facts(task).scored_with_code]
        groups[group_of_task(task, SCORING)] = scored
    return groups | {scheme: scheme_files(scheme) for scheme in unique(cell["scheme"] for cell in every)}


def unique(names: Iterable[str | None]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name is not None]
