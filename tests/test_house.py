"""The layout of stages/: what lies where, and that no arrow runs back up."""

from pathlib import Path

import networkx as nx
import pytest
from test_declarations import imported, source

from stages.tasks.facts import find_facts

ROOT = Path(__file__).parents[1]
STAGES = ROOT / "stages"
# floors from the ground up: a room imports from lower ones alone, and the stages from all below them
FLOORS = [
    ["parameters"],
    ["files", "randomness", "positions", "running"],
    ["encodings", "measures"],
    ["model", "tasks"],
    ["training"],
    ["studies"],
    ["figures"],
    ["reporting"],
    ["stages", "measure_table"],
    ["pretrained"],
    ["pipeline"],
    ["reviewing"],
]
MOST_ROOMS, MOST_ARROWS = 22, 120


def room_of(module: str) -> str | None:
    """The folder of stages/ that holds a module; `stages` for a stage itself."""
    parts = module.split(".")
    if parts[0] != "stages" or len(parts) < 2:
        return None
    return parts[1] if (STAGES / parts[1]).is_dir() else "stages"


def imports() -> "nx.DiGraph[str]":
    """An edge from each module to each of the project's that it imports, wherever its import stands."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for path in STAGES.rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        others = [name for name in imported(str(path.relative_to(ROOT))) if source(name) and name != module]
        graph.add_edges_from((module, name) for name in others)
    return graph


def arrows() -> "nx.DiGraph[str]":
    """An edge for each room that imports from another."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for edge in imports().edges:
        home, room = map(room_of, edge)
        if room and home and room != home:
            graph.add_edge(home, room)
    return graph


def test_every_room_has_a_floor() -> None:
    rooms = {path.parent.relative_to(STAGES).parts[0] for path in STAGES.glob("*/**/*.py")}
    assert rooms | {"stages"} == {room for floor in FLOORS for room in floor}


def test_no_arrow_runs_back_up() -> None:
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    graph = arrows()
    assert not [(one, other) for one, other in graph.edges if floor[one] <= floor[other]]
    assert len(graph) <= MOST_ROOMS and len(graph.edges) <= MOST_ARROWS


def test_modules_import_each_other_in_no_circle() -> None:
    assert nx.is_directed_acyclic_graph(imports())


@pytest.mark.parametrize("task", [path.parent.name for path in STAGES.glob("tasks/*/facts.py")])
def test_a_task_is_a_folder(task: str) -> None:
    names = {path.name for path in (STAGES / "tasks" / task).iterdir()}
    made = {"dvc.yaml"} if find_facts(task).made_by else set()
    assert {"facts.py", "scoring.py", "task.py"} | made <= names
