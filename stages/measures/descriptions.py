"""Geometry, communities and partial alignment of stored tables [R, blocks, n, d] per configuration.

Every function takes the tables of one task and returns a row per table and measure; no tables, no rows.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from stages.measures import alignment, communities, geometry, partial
from stages.measures.alignment import Permutations
from stages.measures.communities import Labels
from stages.measures.tables import Stored, is_finite, list_joined_tables, list_tables, mean_similarity
from stages.positions.distances import hollow
from stages.positions.positions import Matrix

WHICH = ["encoding", "seed", "block"]
GEOMETRY = [*WHICH, "measure", "value"]
COMMUNITIES = [*WHICH, *alignment.COLUMNS[1:]]
PARTIAL = [*WHICH, *partial.COLUMNS[1:]]


def describe_geometry(initial: Stored, final: Stored) -> pd.DataFrame:
    """Dimensions that final tables use, and how far training moved them, columns `GEOMETRY`."""
    if not final:
        return pd.DataFrame(columns=GEOMETRY)
    whole = {name: is_finite(tables)[:, None, None, None] for name, tables in final.items()}
    starts = {name: np.where(whole[name], initial[name], np.nan) for name in final}
    labels, tables = list_tables(final)
    rows = geometry.describe(list_tables(starts)[1], tables)
    return labels.merge(rows, left_index=True, right_on="table")[GEOMETRY]


def describe_communities(
    stored: Stored, groups: Mapping[str, Labels], shuffles: Permutations, seed: int
) -> pd.DataFrame:
    """Communities in cosine similarities of tables, beside the tokens' groups [n], columns `COMMUNITIES`."""
    if not stored:
        return pd.DataFrame(columns=COMMUNITIES)
    labels, tables = list_tables(stored)
    similarities = [communities.similarity_of_table(table) for table in tables]
    rows = communities.compare(similarities, groups, shuffles, seed)
    return labels.merge(rows, left_index=True, right_on="table")[COMMUNITIES]


def describe_pairs(stored: Stored, distances: Mapping[str, Matrix], shuffles: Permutations) -> pd.DataFrame:
    """Alignment of tables of block `all` with each reference, another held fixed, columns `PARTIAL`."""
    if not stored:
        return pd.DataFrame(columns=PARTIAL)
    labels, tables = list_joined_tables(stored)
    rows = partial.align(tables, distances, shuffles)
    return labels.merge(rows, left_index=True, right_on="table")[PARTIAL]


def find_shared_communities(stored: Stored, seed: int) -> dict[str, Labels]:
    """By configuration, each token's community [n] in the mean over seeds of its tables' similarities."""
    means = {name: hollow(np.clip(mean_similarity(tables), 0, None)) for name, tables in stored.items()}
    return {name: communities.louvain(mean, seed) for name, mean in means.items()}
