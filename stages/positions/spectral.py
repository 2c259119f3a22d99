"""Where nodes stand in a weighted graph or a correlation matrix: features [n, k] of walks and spectra.

Graphs are taken as undirected and without self-connections, by the strength of their connections: weights
are averaged over both directions, their signs and the diagonal dropped. An isolated node, of strength 0, has
features 0.

Features move with their nodes when these are given in another order. Two things no rule can choose that way:
the sign of an eigenvector that a symmetry of the graph turns into its negative, and the basis within a
repeated eigenvalue. There the first of the nodes that are alike decides, on every machine the same.
"""

import math

import numpy as np

from stages.positions.positions import Matrix

SAME = 1e-7  # eigenvalues, and components of an eigenvector, that differ by less are taken as equal
LEAST_KEPT = 5  # of a row's connections, the node itself included: a tenth would be one or two of few nodes


def laplacian_eigenvectors(adjacency: Matrix, components: int) -> Matrix:
    """Eigenvectors 2..components + 1 of I - D^-1/2 A D^-1/2, the least eigenvalues first, [n, k], length 1.

    k < components where fewer nodes are joined (Dwivedi and Bresson 2020, arXiv 2012.09699). The first one,
    D^1/2 1, is there in every graph; any others of eigenvalue 0 tell its components apart.
    """
    weights = undirected(adjacency)
    strength = weights.sum(axis=1)
    joined = np.flatnonzero(strength)
    vectors = nontrivial_eigenvectors(weights[np.ix_(joined, joined)], components)
    features = np.zeros((len(weights), vectors.shape[1]))
    features[joined] = vectors
    return features


def return_probabilities(adjacency: Matrix, steps: int) -> Matrix:
    """diag((D^-1 A)^t) for t = 1..steps, [n, steps]: a random walk is back where it started after t steps.

    A walker moves along connections in proportion to their weights (Dwivedi et al. 2022, arXiv 2110.07875).
    On a graph whose nodes are all alike, such as a ring, this tells none of them apart.
    """
    weights = undirected(adjacency)
    strength = weights.sum(axis=1, keepdims=True)
    step = weights / np.where(strength == 0, 1.0, strength)
    walk, diagonals = np.eye(len(step)), []
    for _ in range(steps):
        walk = walk @ step
        diagonals.append(np.diag(walk))
    return np.stack(diagonals, axis=1)


def diffusion_components(functional: Matrix, components: int) -> Matrix:
    """Leading components of a diffusion map of functional connectivity (its gradients), [n, k].

    Of each row the largest tenth is kept, if positive; affinity is the cosine similarity of these rows
    (Margulies et al. 2016, doi 10.1073/pnas.1608282113). The map is that of Coifman and Lafon (2006, doi
    10.1016/j.acha.2006.04.006) with alpha = 1/2; diffusion time would scale whole columns and is left out.
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


def undirected(adjacency: Matrix) -> Matrix:
    """Mean strength of both directions, [n, n], 0 on the diagonal."""
    strength = np.abs(adjacency) * (1 - np.eye(len(adjacency)))
    return (strength + strength.T) / 2


def nontrivial_eigenvectors(weights: Matrix, components: int) -> Matrix:
    """Eigenvectors of D^-1/2 W D^-1/2 but for D^1/2 1, the largest eigenvalues first, [n, k], length 1.

    weights: [n, n], symmetric, not negative, no row of zeros. k = components, or n - 1 where that is less.
    """
    if len(weights) < 2:
        return np.zeros((len(weights), 0))
    root = np.sqrt(weights.sum(axis=1))
    trivial = root / np.linalg.norm(root)
    # all eigenvalues lie in -1..1: taking 3 off the trivial one makes it the last
    values, vectors = np.linalg.eigh(weights / np.outer(root, root) - 3 * np.outer(trivial, trivial))
    first_of_level = np.flatnonzero(-np.diff(values[:0:-1]) > SAME) + 1
    groups = np.split(vectors[:, :0:-1], first_of_level, axis=1)
    return np.concatenate([canonical(group) for group in groups], axis=1)[:, :components]


def canonical(vectors: Matrix) -> Matrix:
    """The orthonormal basis [n, r] of a span that depends on the span alone, given any of its bases [n, r].

    Node by node, the one whose unit vector lies most within what is left of the span, the first of equals:
    that part of it, scaled to length 1. Of a single vector this makes the largest component positive.
    """
    left = vectors @ vectors.T
    basis = []
    for _ in range(vectors.shape[1]):
        within = np.diag(left)
        node = np.argmax(within >= within.max() - SAME)
        basis.append(left[:, node] / np.sqrt(within[node]))
        left = left - np.outer(basis[-1], basis[-1])
    return np.stack(basis, axis=1)
