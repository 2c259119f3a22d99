"""Tables by themselves: dimensions and travel, communities, one reference beyond another, and as maps."""

from pathlib import Path

import numpy as np
import pandas as pd

from stages import tokens
from stages.files import artifacts
from stages.measures import descriptions, layouts
from stages.measures.alignment import permutations
from stages.measures.representations import classical_scaling
from stages.parameters import params
from stages.positions.positions import Matrix, Positions
from stages.randomness.streams import generator
from stages.running.command import run

GEOMETRY = Path("reports/tables/geometry.csv")
COMMUNITIES = Path("reports/tables/communities.csv")
PARTIAL = Path("reports/tables/partial.csv")
LAYOUTS = Path("data/analysis/layouts.npz")
SHARED = Path("data/analysis/communities.npz")

PERMUTATIONS = 999
LAID_OUT = ("grid", "network", "recordings")  # tasks whose tokens do not lie in a row
STEPS = ("grid_distance", "graph_distance")  # 1 between neighbours


def known_layout(positions: Positions) -> Matrix:
    """True positions on 2 or 3 axes: coordinates, or vectors at the distances on the graph."""
    if positions.coordinates is None:
        return layouts.true_layout(classical_scaling(positions.distances["graph_distance"]), axes=2)
    return layouts.true_layout(positions.coordinates, axes=max(2, positions.coordinates.shape[1]))


def maps_of(positions: Positions, groups: tokens.Groups, final: artifacts.Arrays) -> artifacts.Arrays:
    """Layouts by configuration, and `true_layout`, `true_edges` [m, 2] and, if any, `true_groups` [n].

    Edges join neighbours on a grid or graph; groups are the task's first.
    """
    true = known_layout(positions)
    near = [np.triu(positions.distances[name] == 1) for name in STEPS if name in positions.distances]
    found: artifacts.Arrays = {name: layouts.lay_out(tables, true) for name, tables in final.items()}
    found["true_layout"] = true
    found["true_edges"] = np.argwhere(near[0]) if near else np.empty((0, 2), np.int64)
    if groups:
        found["true_groups"] = next(iter(groups.values())).astype(str)
    return found


def main() -> None:
    settings = params.load()
    of_geometry, of_communities, of_pairs = [], [], []
    maps: artifacts.Arrays = {}
    shared: artifacts.Arrays = {}
    for task in params.TASKS:
        positions, groups = tokens.positions(task, settings), tokens.groups(task, settings)
        initial, final = (tokens.trained_tables(task, settings, state) for state in ("initial", "final"))
        random = generator(settings.seed, task, "permutations")
        shuffles = permutations(positions.n_tokens, PERMUTATIONS, random)
        seed = int(generator(settings.seed, task, "communities").integers(2**31))
        of_geometry.append(descriptions.describe_geometry(initial, final).assign(task=task))
        found = descriptions.describe_communities(final, groups, shuffles, seed)
        of_communities.append(found.assign(task=task))
        of_pairs.append(descriptions.describe_pairs(final, positions.distances, shuffles).assign(task=task))
        for name, labels in descriptions.find_shared_communities(final, seed).items():
            shared[f"{task}__{name}"] = labels
        if task in LAID_OUT:
            arrays = maps_of(positions, groups, final)
            maps |= {f"{task}__{name}": array for name, array in arrays.items()}
    for path, rows, columns in (
        (GEOMETRY, of_geometry, descriptions.GEOMETRY),
        (COMMUNITIES, of_communities, descriptions.COMMUNITIES),
        (PARTIAL, of_pairs, descriptions.PARTIAL),
    ):
        artifacts.write_csv(path, pd.concat(rows)[["task", *columns]])
    artifacts.write_arrays(LAYOUTS, maps)
    artifacts.write_arrays(SHARED, shared)


if __name__ == "__main__":
    run(main)
