"""Every dvc.yaml against the code: dependencies are what a stage imports and opens, parameters exist."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from dvc.repo import Repo

from stages.controls.settings import load_controls
from stages.encodings.interface import schemes
from stages.parameters.params import from_values, task_names
from stages.people.tables import SCHEMES
from stages.published.settings import load_published
from stages.tasks.facts import find_facts
from stages.variations.changes import compared_in, load_variations

ROOT = Path(__file__).parents[1]
PARAMS: dict[str, Any] = yaml.safe_load((ROOT / "params.yaml").read_text())
STAGES = {stage.addressing: stage for stage in Repo(ROOT).index.stages}
# found by a task's or a configuration's name; nothing is trained while a configuration is mistaken
BY_NAME = {"data/tasks", "data/models", "data/variations", "data/transplants", "data/controls"}
BY_NAME |= {"data/raw/recordings"}  # by recordings.folder
BY_NAME |= {"data/configurations.json", "data/sweep.json", "data/published", "data/line_puzzles"}
BY_NAME |= {"data/people"}
HOW_STAGES_RUN = "stages/running/"  # changes no result, and is nobody's dependency
WITH_ANY_SCHEME = {f"stages.{name}" for name in ("check_configurations", "map_attention")}
WITH_ANY_SCHEME |= {"stages.distinguish", "stages.intervene", "stages.perturb_inputs"}
VARY = "stages.variations.vary"
CONTROL = "stages.controls.control"
PEOPLE = "stages.people.train"
PUBLISHED = "stages.published.train"
OF_GRID = (
    PUBLISHED,
    "stages.published.describe_puzzles",
    "stages.published.list_solved",
    "stages.published.make_puzzles",
    "stages.published.score",
    "stages.variations.make_line_puzzles",
)
# rerun together with what they belong to, although a stage uses some of their files alone
FOLDERS = {
    *("stages/encodings/bases", "stages/files", "stages/measures", "stages/model", "stages/parameters"),
    *("stages/positions", "stages/randomness", "stages/tasks", "stages/tasks/bases", "stages/training"),
    *("stages/tasks/scoring", "stages/figures", "stages/reporting", "stages/interventions"),
    *(f"stages/tasks/{task}" for task in task_names()),
    "stages/encodings",
}
PINNED = {"stages.tasks.recordings.fetch"}  # what it fetches is pinned by a hash: its own file is enough
MODULES = sorted({stage.cmd.split()[2] for stage in STAGES.values()})


def paths(outputs_or_dependencies: Any) -> set[str]:
    return {path for one in outputs_or_dependencies if not (path := one.def_path).endswith("params.yaml")}


def code_files(path: str) -> set[str]:
    """The files of code that a dependency names, itself or as a folder."""
    inside = (ROOT / path).rglob("*.py") if path.startswith("stages/") else []
    folder = {str(file.relative_to(ROOT)) for file in inside if file.name != "__init__.py"}
    return folder | ({path} if path.endswith(".py") else set())


def declared_parameters(stage: Any) -> list[str]:
    """Keys of the project's params.yaml."""
    dependencies = [one for one in stage.params if one.def_path == "params.yaml"]
    return [key for dependency in dependencies for key in dependency.params]


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


def closure(modules: Iterable[str]) -> set[str]:
    """Files of the project that importing `modules` opens, directly or through others."""
    found: set[str] = set()
    left = set(map(source, modules))
    while left:
        path = left.pop()
        if path and path not in found and not path.startswith(HOW_STAGES_RUN):
            found.add(path)
            left |= set(map(source, imported(path)))
    return found


def code_of(stage: Any) -> set[str]:
    """Every file of code behind a stage, those found by name included.

    dvc.yaml cannot name what one scheme alone imports: such files are dependencies of all cells, or better,
    stay inside the scheme's own file.
    """
    _, _, module, *arguments = stage.cmd.split()
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    found_in = re.match(r"stages\.tasks\.(\w+)\.", module)
    task = str(options.get("--task", found_in[1] if found_in else ""))
    of_one = {"stages.distinguish": "probe", PEOPLE: "recordings", **dict.fromkeys(OF_GRID, "grid")}
    task = of_one.get(module, task)
    modules, others = [module], set()
    if module in {*WITH_ANY_SCHEME, "stages.train"}:
        modules += [f"stages.encodings.{name}" for name in schemes()]
    if module == "stages.train":
        scheme = from_values(PARAMS).configuration(task, options["--configuration"]).scheme
        others = {f"stages/encodings/{name}.py" for name in schemes() if name != scheme}
    if module == VARY:
        modules.append(find_facts(task).made_by)
        variations = load_variations(ROOT)
        compared = [compared_in(variations, task, name) for name in variations.changes[task]]
        modules += [f"stages.encodings.{one['scheme']}" for each in compared for one in each.values()]
    if module == CONTROL:
        modules += [f"stages.encodings.{one['scheme']}" for one in load_controls(ROOT).tables.values()]
    if module == PEOPLE:
        modules += [f"stages.encodings.{one['scheme']}" for one in SCHEMES.values()]
    if module == PUBLISHED:
        modules += [f"stages.encodings.{name}" for name in published_schemes(options["--run"])]
    for finder, part in (("facts", "facts"), ("interface", "task"), ("scoring/interface", "scoring")):
        if f"stages/tasks/{finder}.py" in closure(modules):
            modules += [f"stages.tasks.{name}.{part}" for name in ([task] if task else task_names())]
    return closure(modules) - others


def published_schemes(run: str) -> set[str]:
    """Of the runs that share a matrix with this one."""
    published = load_published(ROOT)
    runs = published.most if run in published.most else published.few
    return {each.configuration["scheme"] for each in runs.values()}


@pytest.mark.parametrize("name", STAGES)
def test_code_dependencies_hold_the_imports_and_no_more(name: str) -> None:
    if STAGES[name].cmd.split()[2] in PINNED:
        return
    declared = paths(STAGES[name].deps)
    needed = code_of(STAGES[name])
    missing = needed - set().union(*map(code_files, declared))
    assert not missing, f"missing {missing}"
    for path in declared:
        if files := code_files(path):
            assert files & needed, f"superfluous {path}"
            assert path in FOLDERS or files <= needed, f"{path}: superfluous {files - needed}"


@pytest.mark.parametrize("folder", ["encodings", "tasks"])
def test_modules_found_by_name_do_not_import_each_other(folder: str) -> None:
    names = schemes() if folder == "encodings" else task_names()
    for name in names:
        path = ROOT / "stages" / folder / name
        others = {f"stages.{folder}.{other}" for other in names if other != name}
        for file in path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]:
            found = {".".join(module.split(".")[:3]) for module in imported(str(file.relative_to(ROOT)))}
            assert others.isdisjoint(found), file


def test_packages_are_empty() -> None:
    """Their __init__.py files are imported too and yet nobody's dependency."""
    assert not [path for path in (ROOT / "stages").glob("*/**/__init__.py") if path.read_text()]


def overlap(one: str, other: str) -> bool:
    """Equal, or one is a folder around the other."""
    return Path(one).is_relative_to(other) or Path(other).is_relative_to(one)


@pytest.mark.parametrize("module", MODULES)
def test_data_dependencies_are_the_paths_in_the_module(module: str) -> None:
    """What the stages of a module declare together is what it names under data/ and reports/."""
    stages = [stage for stage in STAGES.values() if stage.cmd.split()[2] == module]
    needed = {
        text
        for node in ast.walk(tree(str(source(module))))
        if isinstance(node, ast.Constant)
        and re.fullmatch(r"(data|reports)(/[\w.]+)+", text := str(node.value))
    }
    declared = set().union(*(paths(stage.deps) | paths(stage.outs) for stage in stages))
    assert not [path for path in needed if not any(overlap(path, other) for other in declared)]
    by_name = [*BY_NAME, *(str(path) for task in task_names() for path in find_facts(task).given)]
    declared = {path for path in declared if path.startswith(("data/", "reports/"))}
    unnamed = [path for path in declared if not any(overlap(path, other) for other in needed)]
    assert not [path for path in unnamed if not any(overlap(path, other) for other in by_name)]


def test_training_depends_on_the_exact_versions() -> None:
    training = [stage for stage in STAGES.values() if "stages.train " in stage.cmd]
    assert len(training) == sum(
        1 + sum(len(PARAMS["sweep"][group]) for group in groups) for groups in PARAMS["tasks"].values()
    )
    varied = [stage for stage in STAGES.values() if ".vary " in stage.cmd]
    assert len(varied) == sum(map(len, load_variations(ROOT).changes.values()))
    assert all("stages/requirements.lock" in paths(stage.deps) for stage in training + varied)


@pytest.mark.parametrize("task", task_names())
def test_a_task_trains_the_groups_that_params_yaml_gives_it(task: str) -> None:
    names = {
        stage.cmd.split()[-1] for stage in STAGES.values() if f"stages.train --task {task} " in stage.cmd
    }
    assert names == set(from_values(PARAMS).configurations(task))


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
