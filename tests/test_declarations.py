"""Every dvc.yaml against the code: dependencies are what a stage imports and opens, parameters exist."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from commands import list_own

from stages.encodings.interface import schemes
from stages.files import own
from stages.parameters import params
from stages.parameters.params import task_names
from stages.reviewing import records
from stages.running.repository import EVERY_STUDY, Project
from stages.studies.cells import read_cells
from stages.studies.code import digest_folder, list_groups
from stages.studies.load import load_study
from stages.studies.schema import list_studies
from stages.tasks.facts import find_facts

ROOT = Path(__file__).parents[1]
PARAMS: dict[str, Any] = params.read(ROOT / "params.yaml")
# found by a study's, a cell's or a task's name
BY_NAME = {"data/tasks", "data/studies", "data/scores", "data/reference", "reports/studies"}
BY_NAME |= {"data/raw/recordings"}  # by recordings.folder
HOW_STAGES_RUN = "stages/running/"  # changes no result, and is nobody's dependency
# rerun together with what they belong to, although a stage uses some of their files alone
FOLDERS = {
    *("stages/encodings/bases", "stages/files", "stages/measures", "stages/model", "stages/parameters"),
    *("stages/positions", "stages/randomness", "stages/tasks", "stages/tasks/bases", "stages/training"),
    *("stages/tasks/scoring", "stages/figures", "stages/reporting", "stages/studies"),
    *(f"stages/tasks/{task}" for task in task_names()),
}
# what they fetch is pinned by a hash: their own file is enough
PINNED = {"stages.tasks.language.fetch", "stages.tasks.recordings.fetch", "stages.pretrained.fetch"}


@cache
def project() -> Project:
    """With all studies; read when a test runs, and by this module alone, as dvc takes ten seconds over it."""
    return Project(ROOT, EVERY_STUDY)


@cache
def stages() -> dict[str, Any]:
    """By name."""
    return {stage.addressing: stage for stage in project().index.stages}


def list_modules() -> list[str]:
    """Those that stages run."""
    return sorted({stage.cmd.split()[2] for stage in stages().values()})


def paths(outputs_or_dependencies: Any) -> set[str]:
    return {path for one in outputs_or_dependencies if not (path := one.def_path).endswith("params.yaml")}


def code_behind(stage: Any) -> set[str]:
    """What a stage depends on, in place of digests the code that they are of."""
    declared = paths(stage.deps)
    study = options_of(stage)[1].get("--study")
    digests = {path for path in declared if study and Path(path).parent == digest_folder(study)}
    groups = list_groups(of_study(study)["cells"]) if digests else {}
    return (declared - digests).union(*(groups[Path(path).stem] for path in digests))


def code_files(path: str) -> set[str]:
    """The files of code that a dependency names, itself or as a folder."""
    inside = (ROOT / path).rglob("*.py") if path.startswith("stages/") else []
    folder = {str(file.relative_to(ROOT)) for file in inside if file.name != "__init__.py"}
    return folder | ({path} if path.endswith(".py") else set())


def declared_parameters(stage: Any) -> list[str]:
    """Keys of the project's params.yaml."""
    dependencies = [one for one in stage.params if one.def_path == "params.yaml"]
    return [key for dependency in dependencies for key in dependency.params]


@cache
def source(module: str) -> str | None:
    """The project's file of `module`; None for packages and other projects' modules."""
    path = Path(*module.split(".")).with_suffix(".py")
    return str(path) if (ROOT / path).is_file() else None


@cache
def tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text())


@cache
def imported(path: str) -> tuple[str, ...]:
    """Modules named by the import statements of a file, wherever they stand."""
    found: list[str] = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(found)


@cache
def opened_by(module: str) -> frozenset[str]:
    """Files of the project that importing a module opens, directly or through others."""
    found: set[str] = set()
    left = {source(module)}
    while left:
        path = left.pop()
        if path and path not in found and not path.startswith(HOW_STAGES_RUN):
            found.add(path)
            left |= set(map(source, imported(path)))
    return frozenset(found)


def closure(modules: Iterable[str]) -> set[str]:
    return set().union(*map(opened_by, modules))


@cache
def cells_of(study: str) -> dict[str, Any]:
    """By key, what cells.yaml says of each cell."""
    by_group = read_cells(ROOT, study)["cells"]
    return {key: cell for of_group in by_group.values() for key, cell in of_group.items()}


@cache
def of_study(study: str) -> Any:
    return read_cells(ROOT, study)


def options_of(stage: Any) -> tuple[str, dict[str, str]]:
    """A stage's module, and the words behind it."""
    _, _, module, *words = stage.cmd.split()
    return module, dict(zip(words[::2], words[1::2], strict=True))


def keys_of(stage: Any) -> list[str]:
    """Keys of the cells that a stage trains or scores: one, or those of `pe`."""
    _, options = options_of(stage)
    if "--step" in options:
        cells = cells_of(options["--study"])
        return [key for key, cell in cells.items() if cell["configuration"] is None]
    return [options["--cell"]] if "--cell" in options else []


def tasks_of(stage: Any) -> list[str]:
    """The tasks that a stage is about: all where it names none."""
    module, options = options_of(stage)
    if match := re.match(r"stages\.tasks\.(\w+)\.", module):
        return [match[1]]
    study = options.get("--study")
    if study is None:
        return load_study(ROOT, "sigma").tasks if module == "stages.map_tables" else task_names()
    if keys := keys_of(stage):
        return [cells_of(study)[key]["task"] for key in keys]
    if "--floors" in options:
        return [of_study(study)["floors"][options["--floors"]]["task"]]
    if "--data" in options:
        return [of_study(study)["data"][options["--data"]]["task"]]
    return load_study(ROOT, study).tasks


def code_of(stage: Any) -> set[str]:
    """Every file of code behind a stage, those found by name included.

    dvc.yaml cannot name what one scheme alone imports: such files are dependencies of all cells, or better,
    stay inside the scheme's own file.
    """
    module, options = options_of(stage)
    modules, others = [module], set()
    if "--step" in options:
        modules += [f"stages.{options['--step']}"]
    if keys := keys_of(stage):
        scheme = cells_of(options["--study"])[keys[0]]["scheme"] or PARAMS["pe"]["scheme"]
        modules += [f"stages.encodings.{name}" for name in schemes()]
        others = {f"stages/encodings/{name}.py" for name in schemes() if name != scheme}
    if "--data" in options:
        modules += [find_facts(task).made_by for task in tasks_of(stage)]
    for finder, part in (("facts", "facts"), ("interface", "task"), ("scoring/interface", "scoring")):
        if f"stages/tasks/{finder}.py" in closure(modules):
            modules += [f"stages.tasks.{task}.{part}" for task in tasks_of(stage)]
    return closure(modules) - others


def one_of_each_kind() -> list[str]:
    """Of the stages that a dvc.yaml declares alike, the first with each encoding."""
    kinds: dict[tuple[str, str | None], str] = {}
    for name, stage in stages().items():
        study, keys = options_of(stage)[1].get("--study"), keys_of(stage)
        scheme = cells_of(str(study))[keys[0]]["scheme"] if keys else None
        kinds.setdefault((name.partition("@")[0], scheme), name)
    return list(kinds.values())


def list_faults(stage: Any) -> list[str]:
    """Code that a stage imports and does not depend on, or depends on and does not import."""
    module, options = options_of(stage)
    if module in PINNED:
        return []
    declared, needed = code_behind(stage), code_of(stage)
    missing = needed.intersection(list_own()) - set().union(*map(code_files, declared))  # not a user's task
    faults = [f"missing {path}" for path in missing]
    if module == "stages.digest_code" or "--floors" in options:
        return faults  # the one reads the others' code, the other has the code of all scores
    for path in declared:
        files = code_files(path)
        unused = files - needed
        if unused and (path not in FOLDERS or unused == files):
            faults.append(f"superfluous {path}: {unused}")
    return faults


def test_code_dependencies_hold_the_imports_and_no_more() -> None:
    faults = {name: list_faults(stages()[name]) for name in one_of_each_kind()}
    assert not {name: of_stage for name, of_stage in faults.items() if of_stage}


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


def overlaps(one: str, others: Iterable[str]) -> bool:
    return any(overlap(one, other) for other in others)


def test_data_dependencies_are_the_paths_in_the_module() -> None:
    """What the stages of a module declare together is what it names under data/ and reports/."""
    by_name = [*BY_NAME, *(str(path) for task in task_names() for path in find_facts(task).given)]
    for module in list_modules():
        of_module = [stage for stage in stages().values() if stage.cmd.split()[2] == module]
        needed = {
            text
            for node in ast.walk(tree(str(source(module))))
            if isinstance(node, ast.Constant)
            and re.fullmatch(r"(data|reports)(/[\w.]+)+", text := str(node.value))
        }
        declared = set().union(*(paths(stage.deps) | paths(stage.outs) for stage in of_module))
        assert not [path for path in needed if not overlaps(path, declared)], module
        declared = {path for path in declared if path.startswith(("data/", "reports/"))}
        assert not [path for path in declared if not overlaps(path, [*needed, *by_name])], module


def test_data_are_made_anew_where_a_user_s_own_file_is_edited() -> None:
    """At every scale and in every study, since dvc hashes the folder of such files."""
    makers = {find_facts(task).made_by for task in ("grid", "network")}
    made = [
        name
        for name, stage in stages().items()
        if (module := options_of(stage)[0]) in makers
        or (module == "stages.make_data" and {"grid", "network"} & set(tasks_of(stage)))
    ]
    assert len(made) > len(makers) and (ROOT / own.FOLDER).is_dir()
    assert not [name for name in made if str(own.FOLDER) not in paths(stages()[name].deps)]


def test_modules_that_lie_flat_are_those_that_stages_run() -> None:
    flat = {f"stages.{path.stem}" for path in (ROOT / "stages").glob("*.py") if path.stem != "__init__"}
    assert flat == {module for module in list_modules() if module.count(".") == 1}


def test_git_holds_reports_and_dvc_the_rest_and_artifacts_are_outputs() -> None:
    outs = [out for stage in stages().values() for out in stage.outs]
    for out in outs:
        assert out.def_path.split("/")[0] in records.FOLDERS
        in_git = bool(records.IN_GIT.fullmatch(out.def_path))
        assert out.use_cache != in_git or out.def_path.startswith("data/scores/"), out.def_path
    (artifacts,) = project().artifacts.read().values()
    assert {artifact.path for artifact in artifacts.values()} <= {out.def_path for out in outs}


def expanded() -> list[str]:
    """Studies, but one that a user just wrote."""
    return [name for name in list_studies(ROOT) if (ROOT / "studies" / name / "cells.yaml").is_file()]


def test_training_depends_on_the_exact_versions() -> None:
    training = [
        stage for stage in stages().values() if "stages.train " in stage.cmd or "--step train" in stage.cmd
    ]
    trained = [(options_of(stage)[1]["--study"], key) for stage in training for key in keys_of(stage)]
    assert sorted(trained) == sorted((study, key) for study in expanded() for key in cells_of(study))
    assert all("stages/requirements.lock" in code_behind(stage) for stage in training)


def leaves(values: Any, prefix: str = "") -> Iterator[str]:
    if isinstance(values, dict):
        for key, value in values.items():
            yield from leaves(value, f"{prefix}.{key}" if prefix else key)
    else:
        yield prefix


def test_every_parameter_is_declared_by_some_stage() -> None:
    """dvc records an experiment that changes an undeclared parameter and runs nothing."""
    declared = {key for stage in stages().values() for key in declared_parameters(stage)}
    chosen = {key for key in leaves(PARAMS) if not key.startswith("scales.")}
    chosen |= set(leaves(PARAMS["scales"][PARAMS["scale"]], f"scales.{PARAMS['scale']}"))
    undeclared = {key for key in chosen if not any(f"{key}.".startswith(f"{one}.") for one in declared)}
    assert not undeclared


def test_a_cell_depends_on_how_torch_computes() -> None:
    """On all of `compute`: which kernels run changes the numbers as well as how many threads."""
    of_cells = {name: stage for name, stage in stages().items() if keys_of(stage)}
    trained = {name for name in expanded() if cells_of(name)}
    assert {name.split("/")[1] for name in of_cells} == trained
    assert not [name for name in of_cells if "compute" not in declared_parameters(of_cells[name])]


def test_declared_parameters_exist() -> None:
    for name in one_of_each_kind():
        for key in declared_parameters(stages()[name]):
            value: Any = PARAMS
            for part in key.split("."):
                assert part in value, f"{name}: {key}: {part} is not in params.yaml"
                value = value[part]
