"""Stored tables, [R, blocks, n, d] per configuration, by themselves and beside their tokens' groups.

Every function takes the tables of one task and has a row per table and measure; no tables, no rows.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from stages.measures import alignment, communities, geometry, partial
from stages.measures.alignment import Permutations
from stages.measures.communities import Labels
from stages.measures.tables import Stored, finite, listed, mean_similarity, together
from stages.positions.distances import hollow
from stages.positions.positions import Matrix

WHICH = ["encoding", "seed", "block"]
GEOMETRY = [*WHICH, "measure", "value"]
COMMUNITIES = [*WHICH, *alignment.COLUMNS[1:]]
PARTIAL = [*WHICH, *partial.COLUMNS[1:]]


def of_geometry(initial: Stored, final: Stored) -> pd.DataFrame:
    """Dimensions that final tables use, and how far training moved them, columns `GEOMETRY`."""
    if not final:
        return pd.DataFrame(columns=GEOMETRY)
    whole = {name: finite(tables)[:, None, None, None] for name, tables in final.items()}
    starts = {name: np.where(whole[name], initial[name], np.nan) for name in final}
    labels, tables = listed(final)
    found = [geometry.describe(tables), geometry.travel(listed(starts)[1], tables)]
    return labels.merge(pd.concat(found), left_index=True, right_on="table")[GEOMETRY]


def of_communities(
    stored: Stored, groups: Mapping[str, Labels], shuffles: Permutations, seed: int
) -> pd.DataFrame:
    """Communities in tables' cosine similarities beside the tokens' groups [n], columns `COMMUNITIES`."""
    if not stored:
        return pd.DataFrame(columns=COMMUNITIES)
    labels, tables = listed(stored)
    similarities = [communities.of_table(table) for table in tables]
    found = communities.compare(similarities, groups, shuffles, seed)
    return labels.merge(found, left_index=True, right_on="table")[COMMUNITIES]


def of_pairs(stored: Stored, distances: Mapping[str, Matrix], shuffles: Permutations) -> pd.DataFrame:
    """What tables of block `all` say of each reference beyond each other one, columns `PARTIAL`."""
    if not stored:
        return pd.DataFrame(columns=PARTIAL)
    labels, tables = together(stored)
    found = partial.align(tables, distances, shuffles)
    return labels.merge(found, left_index=True, right_on="table")[PARTIAL]


def shared_communities(stored: Stored, seed: int) -> dict[str, Labels]:
    """By configuration each token's community [n] in the mean over seeds of its tables' similarities."""
    means = {name: hollow(np.clip(mean_similarity(tables), 0, None)) for name, tables in stored.items()}
    return {name: communities.louvain(mean, seed) for name, mean in means.items()}
