"""Tables by themselves: dimensions and travel, communities, one reference beyond another, and as maps."""

from pathlib import Path

import numpy as np
import pandas as pd

from stages.files import artifacts, cells
from stages.files.artifacts import Arrays
from stages.measures import layouts, tables
from stages.measures.alignment import permutations
from stages.measures.representations import classical_scaling
from stages.parameters import params
from stages.positions.positions import Matrix, Positions
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import Groups, find_facts

GEOMETRY = Path("reports/tables/geometry.csv")
COMMUNITIES = Path("reports/tables/communities.csv")
PARTIAL = Path("reports/tables/partial.csv")
LAYOUTS = Path("data/analysis/layouts.npz")
SHARED = Path("data/analysis/communities.npz")

PERMUTATIONS = 999
STEPS = ("grid_distance", "graph_distance")  # 1 between neighbours


def true_layout(positions: Positions) -> Matrix:
    """True positions on 2 or 3 axes: coordinates, or vectors at distances, on the graph if there is one."""
    if positions.coordinates is None:
        name = next(name for name in ("graph_distance", *positions.distances) if name in positions.distances)
        return layouts.true_layout(classical_scaling(positions.distances[name]), axes=2)
    return layouts.true_layout(positions.coordinates, axes=max(2, positions.coordinates.shape[1]))


def lay_out(positions: Positions, groups: Groups, final: Arrays) -> Arrays:
    """Layouts by configuration, and `true_layout`, `true_edges` [m, 2] and, if any, `true_groups` [n].

    Edges join neighbours on a grid or graph; groups are the task's first.
    """
    truth = true_layout(positions)
    neighbours = [np.triu(positions.distances[name] == 1) for name in STEPS if name in positions.distances]
    maps: Arrays = {name: layouts.lay_out(array, truth) for name, array in final.items()}
    maps["true_layout"] = truth
    maps["true_edges"] = np.argwhere(neighbours[0]) if neighbours else np.empty((0, 2), np.int64)
    if groups:
        maps["true_groups"] = next(iter(groups.values())).astype(str)
    return maps


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    geometry, communities, partial = [], [], []
    maps: Arrays = {}
    shared: Arrays = {}
    for task in settings.tasks:
        facts = find_facts(task)
        data = facts.read_data(root)
        positions, groups = facts.positions(settings, data), facts.groups(data)
        names = settings.configurations(task)
        initial, final = (cells.read_tables(root, task, names, state) for state in ("initial", "final"))
        random = generator(settings.seed, task, "permutations")
        shuffles = permutations(positions.n_tokens, PERMUTATIONS, random)
        seed = int(generator(settings.seed, task, "communities").integers(2**31))
        if final:
            geometry.append(tables.describe_geometry(initial, final).assign(task=task))
            communities.append(tables.describe_communities(final, groups, shuffles, seed).assign(task=task))
            partial.append(tables.describe_pairs(final, positions.distances, shuffles).assign(task=task))
        for name, labels in tables.find_shared_communities(final, seed).items():
            shared[f"{task}__{name}"] = labels
        if not facts.in_line:
            laid_out = lay_out(positions, groups, final)
            maps |= {f"{task}__{name}": array for name, array in laid_out.items()}
    for path, parts, columns in (
        (GEOMETRY, geometry, ["task", *tables.GEOMETRY]),
        (COMMUNITIES, communities, ["task", *tables.COLUMNS]),
        (PARTIAL, partial, ["task", *tables.PARTIAL]),
    ):
        artifacts.write_csv(root / path, pd.concat(parts or [pd.DataFrame(columns=columns)])[columns])
    artifacts.write_arrays(root / LAYOUTS, maps)
    artifacts.write_arrays(root / SHARED, shared)


if __name__ == "__main__":
    run(main)
