"""Features [n, k] of the nodes of a weighted graph or a correlation matrix, from random walks and spectra.

Graphs are made undirected: absolute weights are averaged over both directions and the diagonal is dropped. An
isolated node (strength 0) has features 0.

If the nodes are reordered, their features are reordered likewise. Two choices cannot depend on the graph
alone: the sign of an eigenvector that a symmetry maps to its negative, and the basis within a repeated
eigenvalue. There the first of the equivalent nodes decides, so every machine gives the same result.
"""

import math

import numpy as np

from .positions import Matrix

SAME = 1e-7  # eigenvalues, or components of an eigenvector, that differ by less count as equal
LEAST_KEPT = 5  # connections kept per row, the node itself included; a tenth of few nodes would be 1 or 2


def laplacian_eigenvectors(adjacency: Matrix, components: int) -> Matrix:
    """Return unit eigenvectors 2..components + 1 of I - D^-1/2 A D^-1/2 [n, k], smallest eigenvalues first.

    k < components if fewer nodes have connections (Dwivedi and Bresson 2020, arXiv 2012.09699). Eigenvector
    1, D^1/2 1, is trivial; further ones with eigenvalue 0 tell the graph's connected components apart.
    """
    weights = symmetrise(adjacency)
    strength = weights.sum(axis=1)
    connected = np.flatnonzero(strength)
    vectors = nontrivial_eigenvectors(weights[np.ix_(connected, connected)], components)
    features = np.zeros((len(weights), vectors.shape[1]))
    features[connected] = vectors
    return features


def return_probabilities(adjacency: Matrix, steps: int) -> Matrix:
    """Return probabilities [n, steps] that a random walk is back after t steps, diag((D^-1 A)^t).

    The walk follows connections in proportion to their weights (Dwivedi et al. 2022, arXiv 2110.07875). On a
    graph whose nodes are all equivalent, such as a ring, it tells no nodes apart.
    """
    return np.asarray(np.diagonal(walk_probabilities(adjacency, steps + 1)[:, :, 1:]).T)


def walk_probabilities(adjacency: Matrix, count: int) -> Matrix:
    """Return probabilities [n, n, count] that a random walk from i is at j after t steps, (D^-1 A)^t.

    t is 0..count - 1.
    """
    weights = symmetrise(adjacency)
    strength = weights.sum(axis=1, keepdims=True)
    step = weights / np.where(strength == 0, 1.0, strength)
    walks = [np.eye(len(step))]
    while len(walks) < count:
        walks.append(walks[-1] @ step)
    return np.stack(walks, axis=2)


def diffusion_components(functional: Matrix, components: int) -> Matrix:
    """Return leading components [n, k] of a diffusion map of functional connectivity, its gradients.

    The largest tenth of each row is kept where positive; affinity is the cosine similarity of these rows
    (Margulies et al. 2016, doi 10.1073/pnas.1608282113). The map is that of Coifman and Lafon (2006, doi
    10.1016/j.acha.2006.04.006) with alpha = 1/2; diffusion time only scales whole columns and is left out.
    """
    n = len(functional)
    kept = min(n, max(math.ceil(n / 10), LEAST_KEPT))
    least = np.partition(functional, n - kept, axis=1)[:, [n - kept]]
    rows = np.where(functional >= np.maximum(least, 0.0), functional, 0.0)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    affinity = rows @ rows.T
    density = np.sqrt(affinity.sum(axis=1))
    kernel = affinity / np.outer(density, density)
    root = np.sqrt(kernel.sum(axis=1, keepdims=True))
    return np.asarray(nontrivial_eigenvectors(kernel, components) / root)


def symmetrise(adjacency: Matrix) -> Matrix:
    """Mean absolute weight of both directions [n, n], 0 on the diagonal."""
    strength = np.abs(adjacency) * (1 - np.eye(len(adjacency)))
    return (strength + strength.T) / 2


def nontrivial_eigenvectors(weights: Matrix, components: int) -> Matrix:
    """Return unit eigenvectors [n, k] of D^-1/2 W D^-1/2 without D^1/2 1, largest eigenvalues first.

    weights W: [n, n], symmetric, not negative, no row of zeros. k = min(components, n - 1).
    """
    if len(weights) < 2:
        return np.zeros((len(weights), 0))
    root = np.sqrt(weights.sum(axis=1))
    trivial = root / np.linalg.norm(root)
    # eigenvalues lie in -1..1: subtracting 3 from the trivial one makes it the last
    values, vectors = np.linalg.eigh(weights / np.outer(root, root) - 3 * np.outer(trivial, trivial))
    first_of_level = np.flatnonzero(-np.diff(values[:0:-1]) > SAME) + 1
    groups = np.split(vectors[:, :0:-1], first_of_level, axis=1)
    return np.concatenate([canonical_basis(group) for group in groups], axis=1)[:, :components]


def canonical_basis(vectors: Matrix) -> Matrix:
    """Find an orthonormal basis [n, r] that depends only on the span of the orthonormal vectors [n, r].

    Repeatedly project the node whose unit vector lies most within the remaining span (the first of equals),
    and scale the projection to length 1. For a single vector this makes the largest component positive.
    """
    left = vectors @ vectors.T
    basis = []
    for _ in range(vectors.shape[1]):
        within = np.diag(left)
        node = np.argmax(within >= within.max() - SAME)
        basis.append(left[:, node] / np.sqrt(within[node]))
        left = left - np.outer(basis[-1], basis[-1])
    return np.stack(basis, axis=1)
