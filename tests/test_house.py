"""The layout of stages/: what lies where, and that no arrow runs back up."""

import ast
import sys
from pathlib import Path

import networkx as nx
import pytest

from stages.cells.code import ROOT, find_code, find_files, list_imports
from stages.core.encodings.lookup.resolve import schemes
from stages.parameters.params import task_names

STAGES = ROOT / "stages"
# floors from the ground up: a room imports from lower ones alone, and the stages from all below them
FLOORS = [
    ["core/settings"],
    ["core/randomness", "core/positions"],
    ["core/encodings", "core/measures"],
    ["core/model"],
    ["core"],
    ["parameters"],
    ["files", "running", "kernels"],
    ["tasks"],
    ["training"],
    ["trial"],
    ["studies"],
    ["studies/scoring", "studies/judging"],
    ["studies/checks"],
    ["studies/planning"],
    ["cells", "figures"],
    ["reporting"],
    ["stages", "measure_table"],
    ["pretrained"],
    ["reviewing"],
]
HOUSES = {"core", "studies"}  # which have rooms of their own
MOST_ROOMS, MOST_ARROWS = 26, 165
# what both share lies in the older one: moved to bases/, it would train every cell of verses again
DERIVED = {("stages.tasks.running_text", "stages.tasks.language")}
OF_CORE = {"numpy", "pydantic", "scipy", "sklearn", "torch"}  # what it may import beside Python's own


def room_of(module: str) -> str | None:
    """Return the folder of stages/ that holds a module, of `HOUSES` by both names; `stages` for a step."""
    parts = module.split(".")
    if parts[0] != "stages" or len(parts) < 2:
        return None
    if parts[1] in HOUSES and (STAGES / parts[1] / parts[2]).is_dir():
        return "/".join(parts[1:3])
    return parts[1] if (STAGES / parts[1]).is_dir() or parts[1] == "kernels" else "stages"


def imports() -> "nx.DiGraph[str]":
    """Draw an edge from each module to each of the project's that it imports, wherever its import stands."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for path in STAGES.rglob("*.py"):
        module = name_module(path)
        others = {name_module(file) for name in list_imports(path) for file in find_files(ROOT, name)}
        graph.add_edges_from((module, name) for name in others - {module} if "__init__" not in name)
    return graph


def name_module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def arrows() -> "nx.DiGraph[str]":
    """Draw an edge for each room that imports from another."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for edge in imports().edges:
        home, room = map(room_of, edge)
        if room and home and room != home:
            graph.add_edge(home, room)
    return graph


def test_every_room_has_a_floor() -> None:
    rooms = {room_of(name_module(path)) for path in STAGES.glob("*/**/*.py")}
    assert rooms | {"stages", "kernels"} == {room for floor in FLOORS for room in floor}


def test_core_can_be_imported_under_any_name() -> None:
    """Imports of itself are relative, and it needs nothing of the pipeline."""
    files = [*(STAGES / "core").rglob("*.py")]
    nodes = [node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    assert {name.partition(".")[0] for name in named} - sys.stdlib_module_names == OF_CORE


def test_no_arrow_runs_back_up() -> None:
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    graph = arrows()
    assert not [(one, other) for one, other in graph.edges if floor[one] <= floor[other]]
    assert len(graph) <= MOST_ROOMS and len(graph.edges) <= MOST_ARROWS


def test_what_trains_imports_nothing_of_a_trial() -> None:
    assert not [path for path in find_code("stages.cells.make_cell") if path.is_relative_to(STAGES / "trial")]


def test_modules_import_each_other_in_no_circle() -> None:
    assert nx.is_directed_acyclic_graph(imports())


@pytest.mark.parametrize("task", task_names())
def test_a_task_is_a_folder(task: str) -> None:
    assert {"facts.py", "scoring.py", "task.py"} <= {
        path.name for path in (STAGES / "tasks" / task).iterdir()
    }


@pytest.mark.parametrize(("folder", "names"), [("core.encodings", schemes()), ("tasks", task_names())])
def test_modules_found_by_name_do_not_import_each_other(folder: str, names: list[str]) -> None:
    own = {f"stages.{folder}.{name}" for name in names}
    depth = 1 + len(folder.split("."))
    of_folder = {module: ".".join(module.split(".")[: depth + 1]) for module in imports().nodes}
    edges = {(of_folder[one], of_folder[other]) for one, other in imports().edges}
    assert not [pair for pair in edges - DERIVED if pair[0] != pair[1] and {*pair} <= own]


def test_packages_are_empty() -> None:
    """They are imported with each of their modules."""
    assert not [path for path in STAGES.rglob("__init__.py") if path.read_text(encoding="utf-8")]
