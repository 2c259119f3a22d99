"""dvc.yaml against the code: dependencies are what a stage's module imports and opens, parameters exist."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from dvc.repo import Repo

from stages.encodings.interface import schemes
from stages.parameters.params import TASKS
from stages.variations import vary

ROOT = Path(__file__).parents[1]
PARAMS: dict[str, Any] = yaml.safe_load((ROOT / "params.yaml").read_text())
STAGES = {stage.addressing: stage for stage in Repo(ROOT).index.stages}
# nothing is trained while a configuration is mistaken
FOR_ORDER_ALONE = {module: {"data/configurations.json"} for module in ("stages.train", "stages.distinguish")}
NO_RESULT = {"data/wall_times.csv"}  # a note of every command
WITH_ANY_SCHEME = {f"stages.{name}" for name in ("check_configurations", "distinguish", "attend")}
WITH_ANY_SCHEME |= {"stages.intervene", "stages.perturb"}


MODULES = sorted({stage.cmd.split()[2] for stage in STAGES.values()})


def paths(outputs_or_dependencies: Any) -> set[str]:
    return {one.def_path for one in outputs_or_dependencies} - {"params.yaml"}


def files(path: str) -> set[str]:
    """The files of code that a dependency names, itself or as a folder."""
    inside = (ROOT / path).rglob("*.py") if path.startswith("stages/") else []
    folder = {str(file.relative_to(ROOT)) for file in inside if file.name != "__init__.py"}
    return folder | ({path} if path.endswith(".py") else set())


def declared_parameters(stage: Any) -> list[str]:
    return [key for dependency in stage.params for key in dependency.params]


def source(module: str) -> str | None:
    """The project's file of `module`; None for packages and other projects' modules."""
    path = Path(*module.split(".")).with_suffix(".py")
    return str(path) if (ROOT / path).is_file() else None


@cache
def tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text())


def imported(path: str) -> Iterator[str]:
    """Modules named by the import statements of a file, wherever they stand."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def closure(modules: list[str]) -> set[str]:
    """Files of the project that importing `modules` opens, directly or through others."""
    found: set[str] = set()
    left = [path for module in modules if (path := source(module))]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += [inner for module in imported(path) if (inner := source(module))]
    return found


def code_of(stage: Any) -> set[str]:
    """Every file of code behind a stage, those found by name included.

    dvc.yaml cannot name what one scheme alone imports, nor, for the focus, one task: such files are
    dependencies of all those cells, or better, stay inside the scheme's own file.
    """
    _, _, module, *arguments = stage.cmd.split()
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    match module:
        case "stages.simulate_network":
            return closure([module, f"stages.numerics.{PARAMS['network']['stepper']}"])
        case _ if module in WITH_ANY_SCHEME:
            return closure([module, *(f"stages.encodings.{name}" for name in schemes())])
        case "stages.train":
            task, name = options["--task"], options["--configuration"]
            scheme = (PARAMS["pe"] if name == "focus" else PARAMS["sweep"][task][name])["scheme"]
            tasks = TASKS if name == "focus" else [task]
            found_by_name = [f"stages.encodings.{name}" for name in schemes()]
            found_by_name += [f"stages.tasks.{name}" for name in tasks]
            others = {str(source(name)) for name in found_by_name}
            own = {f"stages/tasks/{task}.py", f"stages/encodings/{scheme}.py"}
            return (closure([module, *found_by_name]) - others) | own
        case "stages.transplant":
            return closure([module, f"stages.tasks.{options['--task']}"])
        case "stages.vary":
            task = options["--task"]
            commands = [words[0] for at_once in vary.steps(task, ["focus"]) for words, _ in at_once]
            chosen = [
                f"stages.encodings.{one['scheme']}" for one in PARAMS["variations"]["compared"].values()
            ]
            chosen += [f"stages.numerics.{PARAMS['network']['stepper']}"] * (task == "network")
            return closure([module, *commands, f"stages.tasks.{task}", *chosen])
        case _:
            return closure([module])


@pytest.mark.parametrize("name", STAGES)
def test_code_dependencies_are_the_imports(name: str) -> None:
    declared = set().union(*map(files, paths(STAGES[name].deps)))
    needed = code_of(STAGES[name])
    assert declared == needed, f"missing {needed - declared}, superfluous {declared - needed}"


@pytest.mark.parametrize("folder", ["encodings", "tasks"])
def test_modules_found_by_name_do_not_import_each_other(folder: str) -> None:
    names = schemes() if folder == "encodings" else TASKS
    modules = {f"stages.{folder}.{name}" for name in names}
    for module in modules:
        assert modules.isdisjoint(imported(str(source(module))))


def test_packages_are_empty() -> None:
    """Their __init__.py files are imported too and yet nobody's dependency."""
    assert not [path for path in (ROOT / "stages").glob("*/**/__init__.py") if path.read_text()]


def overlap(one: str, other: str) -> bool:
    """Equal, or one is a folder around the other."""
    return Path(one).is_relative_to(other) or Path(other).is_relative_to(one)


@pytest.mark.parametrize("module", MODULES)
def test_data_dependencies_are_the_paths_in_the_code(module: str) -> None:
    """What the stages of a module declare together is what its code names under data/ and reports/."""
    stages = [stage for stage in STAGES.values() if stage.cmd.split()[2] == module]
    # what the commands of a variation name is in its scratch folder
    code = {"stages/vary.py"} if module == "stages.vary" else set().union(*map(code_of, stages))
    needed = {
        text
        for path in code
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant)
        and re.fullmatch(r"(data|reports)(/[\w.]+)+", text := str(node.value))
    } - NO_RESULT
    declared = set().union(*(paths(stage.deps) | paths(stage.outs) for stage in stages))
    declared = {path for path in declared if path.startswith(("data/", "reports/"))}
    declared -= FOR_ORDER_ALONE.get(module, set())
    assert not [path for path in needed if not any(overlap(path, other) for other in declared)]
    assert not [path for path in declared if not any(overlap(path, other) for other in needed)]


def test_training_depends_on_the_exact_versions() -> None:
    training = [stage for stage in STAGES.values() if ".train " in stage.cmd]
    assert len(training) == sum(1 + len(PARAMS["sweep"][task]) for task in TASKS)
    varied = [stage for stage in STAGES.values() if ".vary " in stage.cmd]
    assert len(varied) == sum(len(PARAMS["variations"][task]) for task in vary.GIVEN)
    assert all("stages/requirements.lock" in paths(stage.deps) for stage in training + varied)


def leaves(values: Any, prefix: str = "") -> Iterator[str]:
    if isinstance(values, dict):
        for key, value in values.items():
            yield from leaves(value, f"{prefix}.{key}" if prefix else key)
    else:
        yield prefix


def test_every_parameter_is_declared_by_some_stage() -> None:
    """dvc records an experiment that changes an undeclared parameter and runs nothing."""
    declared = {key for stage in STAGES.values() for key in declared_parameters(stage)}
    chosen = {key for key in leaves(PARAMS) if not key.startswith("scales.")}
    chosen |= set(leaves(PARAMS["scales"][PARAMS["scale"]], f"scales.{PARAMS['scale']}"))
    undeclared = {key for key in chosen if not any(f"{key}.".startswith(f"{one}.") for one in declared)}
    assert not undeclared


@pytest.mark.parametrize("name", STAGES)
def test_declared_parameters_exist(name: str) -> None:
    for key in declared_parameters(STAGES[name]):
        value: Any = PARAMS
        for part in key.split("."):
            assert part in value, f"{key}: {part} is not in params.yaml"
            value = value[part]
