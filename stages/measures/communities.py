"""Communities detected in a similarity matrix, beside known groups of the tokens.

Similarities are cosines between a table's rows, or attention weights. A similarity matrix [n, n] is
symmetric, not negative, and 0 on the diagonal. Labels [n] name each token's group. The null shuffles them.
"""

from collections.abc import Mapping, Sequence

import networkx as nx
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import entropy
from sklearn.metrics.cluster import expected_mutual_information

from stages.measures import alignment
from stages.measures.alignment import Matrix, Permutations
from stages.positions.distances import hollow

Labels = NDArray[np.generic]


def similarity_of_table(table: NDArray[np.floating]) -> Matrix:
    """Cosine similarity of rows."""
    # ASSUME: rows that point apart are as unrelated as orthogonal ones; modularity wants weights >= 0
    return hollow(np.clip(alignment.cosine_similarity(table), 0.0, None))


def similarity_of_attention(weights: NDArray[np.floating]) -> Matrix:
    """Mean of attention i -> j and j -> i; attention of a token to itself left out."""
    exact = weights.astype(np.float64)
    return hollow((exact + exact.T) / 2)


def compare(
    similarities: Sequence[Matrix], references: Mapping[str, Labels], shuffles: Permutations, seed: int
) -> pd.DataFrame:
    """One row per matrix (its index in column `table`), reference and measure, columns `alignment.COLUMNS`.

    modularity, communities: of the detected partition, and their number; reference "", no null.
    segregation: of each reference's groups. ami: agreement of the detected groups with them.
    A reference with one group only, or with singletons only, is left out.
    """
    partitions = [louvain(similarity, seed) for similarity in similarities]
    without_null = {
        "modularity": list(map(modularity, similarities, partitions)),
        "communities": [float(labels.max() + 1) for labels in partitions],
    }
    parts = [
        alignment.tabulate(pd.DataFrame({"value": values}), "", name) for name, values in without_null.items()
    ]
    for name, labels in references.items():
        if 1 < len(np.unique(labels)) < len(labels):
            parts.append(alignment.tabulate(segregation(similarities, labels, shuffles), name, "segregation"))
            parts.append(alignment.tabulate(agreement(partitions, labels, shuffles), name, "ami"))
    return pd.concat(parts, ignore_index=True)


def louvain(similarity: Matrix, seed: int) -> NDArray[np.int64]:
    """Community of each token, numbered from 0 (Blondel et al., 2008), resolution 1; the seed breaks ties."""
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


def segregation(similarities: Sequence[Matrix], labels: Labels, shuffles: Permutations) -> pd.DataFrame:
    """(within - between) / within, mean similarities of pairs in one group and in two (Chan et al., 2014).

    Without Fisher's z: cosines and attention weights are no sample correlations. NaN where within is 0.
    """
    upper = np.triu_indices(len(labels), k=1)
    labels = np.unique(labels, return_inverse=True)[1]  # numbers compare faster than names
    orders = np.vstack([np.arange(len(labels)), shuffles])
    same = (labels[orders[:, upper[0]]] == labels[orders[:, upper[1]]]).astype(np.float64)
    values = np.array([alignment.upper_triangle(similarity) for similarity in similarities]).T
    n_within = same[0].sum()
    sums = same @ values
    within, between = sums / n_within, (values.sum(axis=0) - sums) / (len(values) - n_within)
    segregated = 1 - between / np.where(within == 0, np.nan, within)
    return alignment.compare_with_null(segregated[0], segregated[1:])


def agreement(partitions: Sequence[Labels], labels: Labels, shuffles: Permutations) -> pd.DataFrame:
    """Adjusted mutual information of partitions with known groups (Vinh et al., 2010): 1 equal, 0 by chance.

    Shuffles keep the sizes of groups, hence the entropies and the expectation.
    """
    known = np.unique(labels, return_inverse=True)[1]
    orders = np.vstack([np.arange(len(known)), shuffles])
    adjusted = np.array([adjusted_information(partition, known, orders) for partition in partitions]).T
    return alignment.compare_with_null(adjusted[0], adjusted[1:])


def adjusted_information(partition: Labels, known: NDArray[np.int64], orders: Permutations) -> Matrix:
    """Adjusted mutual information of a partition with known[order], [orders]."""
    members = (np.unique(partition)[:, None] == partition).astype(np.float64)
    groups = np.eye(known.max() + 1)[known]
    joint = members @ groups[orders]  # contingency tables [orders, partition, known]
    expected = expected_mutual_information(joint[0].astype(np.int64), len(known))
    mean_entropy = (entropy(members.sum(axis=1)) + entropy(groups.sum(axis=0))) / 2
    return np.asarray((mutual_information(joint) - expected) / (mean_entropy - expected))


def mutual_information(joint: Matrix) -> Matrix:
    """Mutual information in nats of contingency tables [..., a, b]."""
    share = joint / joint.sum(axis=(-2, -1), keepdims=True)
    independent = share.sum(axis=-1, keepdims=True) * share.sum(axis=-2, keepdims=True)
    ratio = np.where(share > 0, share / np.where(share > 0, independent, 1.0), 1.0)
    return np.asarray(np.sum(share * np.log(ratio), axis=(-2, -1)))
