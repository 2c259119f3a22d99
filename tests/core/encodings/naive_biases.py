"""Logits of schemes that add what depends on places alone, one query and key at a time."""

import math

import numpy as np
from naive_head import Array, Head, content


def alibi(c: Head, i: int, j: int) -> float:
    return content(c, i, j) - 2 ** (-8 * (c.number + 1) / c.heads) * abs(i - j)


def kerple(c: Head, i: int, j: int) -> float:
    s1, s2 = (float(c.parameters[name][c.number]) for name in ("s1", "s2"))
    if c.settings.get("kernel") == "power":
        return content(c, i, j) - math.exp(s1) * float(abs(i - j) ** (2 / (1 + math.exp(-s2))))
    return content(c, i, j) - math.exp(s1) * math.log(1 + math.exp(s2) * abs(i - j))


def sandwich(c: Head, i: int, j: int) -> float:
    columns = c.settings["columns"]
    product = 0.0
    for t in range(columns // 2):
        a, b = (place / 10000 ** (2 * t / columns) for place in (i, j))
        product += math.sin(a) * math.sin(b) + math.cos(a) * math.cos(b)
    return content(c, i, j) + product * c.heads / (8 * (c.number + 1))


def toeplitz_bias(c: Head, i: int, j: int) -> float:
    return content(c, i, j) + float(c.per_offset("bias", j - i))


def t5_bias(c: Head, i: int, j: int) -> float:
    buckets, farthest = c.settings.get("buckets", 32), c.settings.get("max_distance", 128)
    half, exact, distance = buckets // 2, buckets // 4, abs(j - i)
    bucket = distance
    if distance >= exact:
        share = math.log(distance / exact) / math.log(farthest / exact)
        bucket = min(half - 1, exact + math.floor(share * (half - exact) + 1e-9))
    return content(c, i, j) + float(c.parameters["bias"][c.number, bucket + half * (j > i)])


def network(c: Head, features: Array) -> float:
    """Pass a pair's features through the block's small network, of this head."""
    widen, narrow = c.parameters["widen"][c.block], c.parameters["narrow"][c.block]
    hidden = [max(0.0, float(features @ column[:-1] + column[-1])) for column in widen.T]
    return float(sum(value * weight[c.number] for value, weight in zip(hidden, narrow, strict=True)))


def cpb(c: Head, i: int, j: int) -> float:
    features = []
    for axis in c.coordinates.T:
        share = (axis[j] - axis[i]) / max(axis.max() - axis.min(), 1)
        features.append(math.copysign(math.log(1 + 8 * abs(share), 8), share))
    return content(c, i, j) + network(c, np.array(features))


def fire(c: Head, i: int, j: int) -> float:
    def psi(far: float) -> float:
        return math.log(1 + abs(float(c.parameters["steepness"][c.block])) * far)

    corner = math.dist(c.coordinates[0], c.coordinates[-1])
    return content(c, i, j) + network(
        c, np.array([psi(math.dist(c.coordinates[i], c.coordinates[j])) / psi(max(corner, 1))])
    )


def hop_bias(c: Head, i: int, j: int) -> float:
    limit = c.settings.get("limit", 20)
    reached, found = {i}, 0
    while j not in reached and found <= c.n:
        reached |= {b for a in reached for b in range(c.n) if c.adjacency[a, b] or c.adjacency[b, a]}
        found += 1
    return content(c, i, j) + float(
        c.parameters["bias"][c.number, limit + 1 if found > c.n else min(found, limit)]
    )


def rrwp_bias(c: Head, i: int, j: int) -> float:
    powers = [np.linalg.matrix_power(c.walk, t)[i, j] for t in range(c.settings.get("steps", 8))]
    return content(c, i, j) + network(c, np.array(powers))
