"""Communities in a similarity matrix, found and given: tables' cosine similarities or attention weights.

A similarity matrix [n, n] here is symmetric, not negative, and 0 on the diagonal. Labels [n] name each
token's group. Under the null the labels are shuffled over tokens.
"""

from collections.abc import Mapping, Sequence

import networkx as nx
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import entropy
from sklearn.metrics.cluster import expected_mutual_information

from stages.measures.alignment import (
    Alignment,
    Matrix,
    Permutations,
    compare_with_null,
    cosine_similarity,
    tabulate,
    upper_triangle,
)
from stages.positions.true_positions import hollow

Labels = NDArray[np.generic]


def similarity_of_table(table: NDArray[np.floating]) -> Matrix:
    """Cosine similarity of rows."""
    # ASSUME: rows that point apart are as unrelated as orthogonal ones; modularity wants weights >= 0
    return hollow(np.clip(cosine_similarity(table), 0.0, None))


def similarity_of_attention(weights: NDArray[np.floating]) -> Matrix:
    """Mean of attention i -> j and j -> i; attention of a token to itself left out."""
    exact = weights.astype(np.float64)
    return hollow((exact + exact.T) / 2)


def compare(
    similarities: Sequence[Matrix], references: Mapping[str, Labels], shuffles: Permutations, seed: int
) -> pd.DataFrame:
    """One row per matrix (its index in column `table`), reference and measure, columns `alignment.COLUMNS`.

    modularity, communities: of the partition found, and their number; reference "", no null.
    segregation: of each reference's own groups. ami: agreement of found and given groups.
    A reference of one group alone, or of singletons alone, says nothing and is left out.
    """
    found = [louvain(similarity, seed) for similarity in similarities]
    alone = {
        "modularity": [
            modularity(matrix, labels) for matrix, labels in zip(similarities, found, strict=True)
        ],
        "communities": [float(labels.max() + 1) for labels in found],
    }
    nothing = np.full(len(found), np.nan)
    parts = [
        tabulate(Alignment(np.array(values), nothing, nothing), "", name) for name, values in alone.items()
    ]
    for name, labels in references.items():
        if 1 < len(np.unique(labels)) < len(labels):
            parts.append(tabulate(segregation(similarities, labels, shuffles), name, "segregation"))
            parts.append(tabulate(agreement(found, labels, shuffles), name, "ami"))
    return pd.concat(parts, ignore_index=True)


def louvain(similarity: Matrix, seed: int) -> NDArray[np.int64]:
    """Community of each token, numbered from 0 (Blondel et al., 2008), resolution 1; the seed sets ties."""
    graph = nx.from_numpy_array(similarity)
    labels = np.zeros(len(similarity), np.int64)
    for number, members in enumerate(nx.community.louvain_communities(graph, seed=seed)):
        labels[list(members)] = number
    return labels


def modularity(similarity: Matrix, labels: Labels) -> float:
    """Weight within groups beyond what strengths alone would give (Newman, 2004); NaN without weights."""
    strength, total = similarity.sum(axis=1), similarity.sum()
    if total == 0:
        return np.nan
    same = labels[:, None] == labels
    return float(np.sum((similarity - np.outer(strength, strength) / total) * same) / total)


def segregation(similarities: Sequence[Matrix], labels: Labels, shuffles: Permutations) -> Alignment:
    """(within - between) / within, mean similarities of pairs in one group and in two (Chan et al., 2014).

    Without Fisher's z: cosines and attention weights are no correlations of samples. NaN where within is 0.
    """
    upper = np.triu_indices(len(labels), k=1)
    orders = np.vstack([np.arange(len(labels)), shuffles])
    same = (labels[orders[:, upper[0]]] == labels[orders[:, upper[1]]]).astype(np.float64)
    values = np.array([upper_triangle(similarity) for similarity in similarities]).T
    n_within = same[0].sum()
    sums = same @ values
    within, between = sums / n_within, (values.sum(axis=0) - sums) / (len(values) - n_within)
    segregated = 1 - between / np.where(within == 0, np.nan, within)
    return compare_with_null(segregated[0], segregated[1:])


def agreement(found: Sequence[Labels], labels: Labels, shuffles: Permutations) -> Alignment:
    """Adjusted mutual information of found and given groups (Vinh et al., 2010): 1 equal, 0 by chance.

    Shuffles keep the groups' sizes, hence the entropies and the expectation: the null is one line through
    mutual information.
    """
    given = np.unique(labels, return_inverse=True)[1]
    orders = np.vstack([np.arange(len(given)), shuffles])
    agreed = np.array([_adjusted(partition, given, orders) for partition in found]).T
    return compare_with_null(agreed[0], agreed[1:])


def _adjusted(found: Labels, given: NDArray[np.int64], orders: Permutations) -> Matrix:
    """Adjusted mutual information of found with given[order], [orders]."""
    members = (np.unique(found)[:, None] == found).astype(np.float64)
    groups = np.eye(given.max() + 1)[given]
    joint = members @ groups[orders]  # contingency tables [orders, found, given]
    expected = expected_mutual_information(joint[0].astype(np.int64), len(given))
    most = (entropy(members.sum(axis=1)) + entropy(groups.sum(axis=0))) / 2
    return np.asarray((mutual_information(joint) - expected) / (most - expected))


def mutual_information(joint: Matrix) -> Matrix:
    """Mutual information in nats of contingency tables [..., a, b]."""
    share = joint / joint.sum(axis=(-2, -1), keepdims=True)
    independent = share.sum(axis=-1, keepdims=True) * share.sum(axis=-2, keepdims=True)
    ratio = np.where(share > 0, share / np.where(share > 0, independent, 1.0), 1.0)
    return np.asarray(np.sum(share * np.log(ratio), axis=(-2, -1)))
