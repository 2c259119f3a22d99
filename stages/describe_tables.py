"""Tables by themselves: dimensions and travel, communities, one reference beyond another, and as maps."""

from pathlib import Path

import numpy as np
import pandas as pd

from stages.files import artifacts, cells
from stages.files.artifacts import Arrays
from stages.measures import communities, layouts, partial, tables
from stages.measures.alignment import permutations
from stages.parameters import params
from stages.positions.positions import Positions
from stages.positions.scaling import classical_scaling
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import Groups, find_facts

GEOMETRY = Path("reports/tables/geometry.csv")
COMMUNITIES = Path("reports/tables/communities.csv")
PARTIAL = Path("reports/tables/partial.csv")
LAYOUTS = Path("data/analysis/layouts.npz")
SHARED = Path("data/analysis/communities.npz")

PERMUTATIONS = 999
COLUMNS = {
    GEOMETRY: ["task", *tables.GEOMETRY],
    COMMUNITIES: ["task", *tables.COLUMNS],
    PARTIAL: ["task", *tables.PARTIAL],
}
STEPS = ("grid_distance", "graph_distance")  # 1 between neighbours


def lay_out(positions: Positions, groups: Groups, final: Arrays) -> Arrays:
    """Layouts by configuration, and `true_layout`, `true_edges` [m, 2] and, if any, `true_groups` [n].

    True positions are on 2 or 3 axes: coordinates, or vectors at distances, on the graph if there is one.
    Edges join neighbours on a grid or graph; groups are the task's first.
    """
    vectors, axes = positions.coordinates, 2
    if vectors is not None:
        axes = max(axes, vectors.shape[1])
    else:
        name = (
            "graph_distance" if "graph_distance" in positions.distances else next(iter(positions.distances))
        )
        vectors = classical_scaling(positions.distances[name])
    truth = layouts.true_layout(vectors, axes)
    neighbours = [np.triu(positions.distances[name] == 1) for name in STEPS if name in positions.distances]
    maps: Arrays = {name: layouts.lay_out(array, truth) for name, array in final.items()}
    maps["true_layout"] = truth
    maps["true_edges"] = np.argwhere(neighbours[0]) if neighbours else np.empty((0, 2), np.int64)
    if groups:
        maps["true_groups"] = next(iter(groups.values())).astype(str)
    return maps


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    parts: dict[Path, list[pd.DataFrame]] = {path: [] for path in COLUMNS}
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
            labels, each = tables.list_tables(final)
            similarities = [communities.similarity_of_table(table) for table in each]
            detected = communities.compare(similarities, groups, shuffles, seed)
            joined_labels, joined = tables.list_tables(final, "all")
            pairs = partial.align(joined, positions.distances, shuffles)
            parts[GEOMETRY].append(tables.describe_geometry(initial, final).assign(task=task))
            parts[COMMUNITIES].append(tables.label(labels, detected).assign(task=task))
            parts[PARTIAL].append(tables.label(joined_labels, pairs).assign(task=task))
        found = tables.find_shared_communities(final, seed)
        shared |= {f"{task}__{name}": of_tokens for name, of_tokens in found.items()}
        if not facts.in_line:
            laid_out = lay_out(positions, groups, final)
            maps |= {f"{task}__{name}": array for name, array in laid_out.items()}
    for path, columns in COLUMNS.items():
        table = pd.concat(parts[path] or [pd.DataFrame(columns=columns)])
        artifacts.write_csv(root / path, table[columns])
    artifacts.write_arrays(root / LAYOUTS, maps)
    artifacts.write_arrays(root / SHARED, shared)


if __name__ == "__main__":
    run(main)
