"""Map learned tables next to true positions: the similarity of rows for each σ."""

from pathlib import Path

import numpy as np

from stages.core.measures import layouts, tables
from stages.core.positions.positions import Matrix, Positions
from stages.core.positions.scaling import classical_scaling
from stages.files import artifacts, cells
from stages.files.artifacts import Arrays
from stages.parameters import params
from stages.parameters.params import Params
from stages.studies.cells import cell_folder
from stages.studies.planning.load import load_study
from stages.studies.schema import Study
from stages.studies.tables import name_value
from stages.tasks.facts import TaskFacts, find_facts

STUDY, CELL = "sigma", "learned"
MAPS = Path("reports/maps.npz")


def read_similarities(root: Path, task: str, study: Study) -> Arrays:
    """Read the cosines between rows for each σ, `0_2__final` and `0_2__added` [n, n], blocks side by side.

    Each is a mean over seeds. `sigmas`: the values whose cells are there, as text, the smallest first. Cells
    that were not trained or diverged are left out.
    """
    assert study.axis is not None
    found: Arrays = {}
    sigmas = []
    for value in sorted(study.axis.values):
        name = name_value(value)
        key = name.replace(".", "_")
        folder = cell_folder(root, STUDY, f"{task}-{CELL}-{key}")
        final, initial = cells.read_tables(folder), cells.read_tables(folder, "initial")
        if final is None or initial is None:
            continue
        sigmas.append(name)
        found[f"{key}__final"] = tables.mean_similarity(final)
        found[f"{key}__added"] = tables.mean_similarity(final - initial)
    return found | {"sigmas": np.array(sigmas, str)} if sigmas else {}


def describe_tokens(facts: TaskFacts, data: Arrays, positions: Positions) -> Arrays:
    """Describe tokens: `labels`, `order` [n], `groups` in that order, `plane` [n, 2].

    Also `coordinates` [n, k], if there are any.
    """
    n = positions.n_tokens
    order, groups = facts.arrange(data, n)
    described = {
        "labels": np.array(facts.token_names(data, n), str),
        "order": np.array(order),
        "groups": np.array(groups, str),
        "plane": lay_out(facts, positions),
    }
    return described if positions.coordinates is None else described | {"coordinates": positions.coordinates}


def lay_out(facts: TaskFacts, positions: Positions) -> Matrix:
    """Lay true positions out in a plane [n, 2], around 0, the farthest at distance 1.

    Coordinates as figures show them: a brain from above, front up; rows of a lattice run down. Without any,
    classical scaling of distances, on the graph if there is one.
    """
    known = positions.distances
    if positions.coordinates is None:
        distance = known.get("graph_distance", next(iter(known.values())))
        plane = layouts.true_layout(classical_scaling(distance), 2)
    else:
        both = layouts.true_layout(positions.coordinates, max(2, positions.coordinates.shape[1]))[:, :2]
        plane = both if facts.in_brain else both[:, ::-1] * [1, -1]
    return np.asarray(plane / (np.linalg.norm(plane, axis=1).max() or 1.0))


def describe_truth(facts: TaskFacts, positions: Positions) -> Arrays:
    """Describe the judging `reference`, `true` [n, n] by it, and `true_<reference>` of all that are drawn."""
    judging = facts.judging_reference(positions.distances)
    drawn = {
        f"true_{name}": tables.true_similarity(positions.distances[name])
        for name in facts.maps
        if name in positions.distances
    }
    return drawn | {
        "reference": np.array(judging),
        "true": tables.true_similarity(positions.distances[judging]),
    }


def map_task(root: Path, settings: Params, study: Study, task: str) -> Arrays:
    """Make all arrays of a task; none if no cell was trained."""
    similarities = read_similarities(root, task, study)
    if not similarities:
        return {}
    facts = find_facts(task)
    data = facts.read_data(root)
    positions = facts.positions(settings, data)
    return similarities | describe_tokens(facts, data, positions) | describe_truth(facts, positions)


def map_tables(root: Path) -> None:
    """Map the tables that the study of σ learned, beside true positions."""
    settings, study = params.load(root / params.FILE), load_study(root, STUDY)
    maps: Arrays = {}
    for task in study.tasks:
        if not find_facts(task).in_line:
            maps |= {
                f"{task}__{name}": array for name, array in map_task(root, settings, study, task).items()
            }
    in_half = {name: array.astype(np.float32) for name, array in maps.items() if array.dtype == np.float64}
    artifacts.write_arrays(root / MAPS, maps | in_half)  # in git: half the bytes are enough
