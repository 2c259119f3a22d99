"""Attention under each scheme, rebuilt from its formula alone: float64, one query, key and head at a time."""

import cmath
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from stages.core.positions.spectral import laplacian_eigenvectors

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Head:
    """One head of one example, in one replica of one block; parameters and buffers are that replica's."""

    q: Array  # [n, d_h]
    k: Array  # [n, d_h]
    v: Array  # [n, d_v]
    x: Array  # [n, d], the tokens that the above are made of
    number: int  # counted from 0
    heads: int
    block: int
    width: int
    parameters: dict[str, Array]
    settings: dict[str, Any]
    coordinates: Array  # [n, 2]
    adjacency: Array  # [n, n]

    @property
    def n(self) -> int:
        return len(self.q)

    @property
    def d(self) -> int:
        return len(self.q[0])

    @cached_property
    def walk(self) -> Array:
        """Return the probabilities of a step between nodes; both directions of an edge are one."""
        both = np.abs(self.adjacency) * (1 - np.eye(self.n))
        both = both + both.T
        return np.array([row / sum(row) if sum(row) else row for row in both])

    @cached_property
    def spectral(self) -> Array:
        """Return eigenvectors of the graph's Laplacian as places, each of mean 0 and variance 1."""
        features = laplacian_eigenvectors(self.adjacency, self.settings["components"])
        spread = features.std(axis=0)
        return np.asarray((features - features.mean(axis=0)) / np.where(spread > 0, spread, 1))

    def per_offset(self, name: str, offset: int) -> Any:
        """Return this head's entry of a table of the offsets 1 - n..n - 1, or of those not clipped."""
        limit: int = min(self.settings.get("clip", self.n), self.n - 1)
        return self.parameters[name][self.number, max(-limit, min(limit, offset)) + limit]

    def clip_offsets(self, name: str, offset: int) -> Array:
        """Return this block's row of a table of the offsets -limit..limit."""
        limit: int = min(self.settings["max_distance"], self.n - 1)
        return np.asarray(self.parameters[name][self.block, max(-limit, min(limit, offset)) + limit])


def content(c: Head, i: int, j: int) -> float:
    return float(c.q[i] @ c.k[j]) / math.sqrt(c.d)


def rotate(x: Array, position: float, first: int, pairs: int, of_width: int) -> Array:
    """Rotate `pairs` pairs of columns of x from `first` on."""
    y = x.copy()
    for t in range(pairs):
        angle = position / 10000 ** (2 * t / of_width)
        a, b = x[first + 2 * t], x[first + 2 * t + 1]
        y[first + 2 * t] = a * math.cos(angle) - b * math.sin(angle)
        y[first + 2 * t + 1] = a * math.sin(angle) + b * math.cos(angle)
    return y


def rope(c: Head, i: int, j: int) -> float:
    pairs = math.floor(c.settings.get("fraction", 1) * c.d / 2)
    q, k = rotate(c.q[i], i, 0, pairs, c.d), rotate(c.k[j], j, 0, pairs, c.d)
    return float(q @ k) / math.sqrt(c.d)


def rope_nd(c: Head, i: int, j: int) -> float:
    share = c.d // 4 * 2
    q, k = c.q[i], c.k[j]
    for axis in range(2):
        q = rotate(q, c.coordinates[i, axis], axis * share, share // 2, share)
        k = rotate(k, c.coordinates[j, axis], axis * share, share // 2, share)
    return float(q @ k) / math.sqrt(c.d)


def shaw_key(c: Head, i: int, j: int) -> float:
    return float(c.q[i] @ (c.k[j] + c.clip_offsets("keys", j - i))) / math.sqrt(c.d)


def music_transformer(c: Head, i: int, j: int) -> float:
    if j > i:
        return -math.inf
    e = c.parameters["keys"][c.block, c.number, j - i + c.n - 1]
    return float(c.q[i] @ (c.k[j] + e)) / math.sqrt(c.d)


def transformer_xl(c: Head, i: int, j: int) -> float:
    s = np.zeros(c.width)
    for t in range(c.width):
        angle = (i - j) / 10000 ** (2 * (t // 2) / c.width)
        s[t] = math.sin(angle) if t % 2 == 0 else math.cos(angle)
    projected = s @ c.parameters["projections"][c.block, c.number]
    u, w = c.parameters["u"][c.number], c.parameters["w"][c.number]
    return float((c.q[i] + u) @ c.k[j] + (c.q[i] + w) @ projected) / math.sqrt(c.d)


def t5_bias(c: Head, i: int, j: int) -> float:
    buckets, farthest = c.settings.get("buckets", 32), c.settings.get("max_distance", 128)
    half, exact, distance = buckets // 2, buckets // 4, abs(j - i)
    bucket = distance
    if distance >= exact:
        share = math.log(distance / exact) / math.log(farthest / exact)
        bucket = min(half - 1, exact + math.floor(share * (half - exact) + 1e-9))
    return content(c, i, j) + float(c.parameters["bias"][c.number, bucket + half * (j > i)])


def alibi(c: Head, i: int, j: int) -> float:
    return content(c, i, j) - 2 ** (-8 * (c.number + 1) / c.heads) * abs(i - j)


def toeplitz_bias(c: Head, i: int, j: int) -> float:
    return content(c, i, j) + float(c.per_offset("bias", j - i))


def deberta(c: Head, i: int, j: int) -> float:
    farthest: int = min(c.settings.get("max_distance", 512), c.n)

    def delta(a: int, b: int) -> int:
        if a - b <= -farthest:
            return 0
        return 2 * farthest - 1 if a - b >= farthest else a - b + farthest

    to_keys, to_queries = c.parameters["projections"][c.block, :, c.number]
    key = c.parameters["relative"][delta(i, j)] @ to_keys
    query = c.parameters["relative"][delta(j, i)] @ to_queries
    return float(c.q[i] @ c.k[j] + c.q[i] @ key + c.k[j] @ query) / math.sqrt(3 * c.d)


def cope(c: Head, i: int, j: int) -> float:
    if j > i:
        return -math.inf
    position = sum(1 / (1 + math.exp(-float(c.q[i] @ c.k[between]))) for between in range(j, i + 1))
    position = min(position, c.settings.get("max_position", c.n))
    e = c.parameters["vectors"][c.block]
    low, high = math.floor(position), math.ceil(position)
    mean = e[low] + (position - low) * (e[high] - e[low])
    return content(c, i, j) + float(c.q[i] @ mean)


def causal_none(c: Head, i: int, j: int) -> float:
    return content(c, i, j) if j <= i else -math.inf


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


def rope_mixed(c: Head, i: int, j: int) -> float:
    places = c.spectral if c.settings.get("positions") == "spectral" else c.coordinates
    omega = c.parameters["omega"][c.block, c.number]
    total = 0.0
    for t in range(c.d // 2):
        q, k = complex(*c.q[i, 2 * t : 2 * t + 2]), complex(*c.k[j, 2 * t : 2 * t + 2])
        total += (q * k.conjugate() * cmath.exp(1j * float(omega[t] @ (places[i] - places[j])))).real
    total += float(c.q[i, c.d // 2 * 2 :] @ c.k[j, c.d // 2 * 2 :])
    return total / math.sqrt(c.d)


def liere(c: Head, i: int, j: int) -> float:
    size, entries = min(c.settings.get("size", 8), c.d), c.parameters["entries"][c.block, c.number]
    turned = []
    for x, token in ((c.q[i], i), (c.k[j], j)):
        y = x.copy()
        for part, of_axes in enumerate(entries):
            skew = np.zeros((size, size))
            for place, values in zip(c.coordinates[token], of_axes, strict=True):
                skew[np.triu_indices(size, 1)] += place * values
            columns = slice(part * size, (part + 1) * size)
            y[columns] = scipy.linalg.expm(skew - skew.T) @ x[columns]
        turned.append(y)
    return float(turned[0] @ turned[1]) / math.sqrt(c.d)


def pope(c: Head, i: int, j: int) -> float:
    total = 0.0
    for column in range(c.d):
        delta = float(c.parameters["delta"][c.block, c.number, column])
        angle = (j - i) / 10000 ** (column / c.d) + delta
        total += math.log1p(math.exp(c.q[i, column])) * math.log1p(math.exp(c.k[j, column])) * math.cos(angle)
    return total / math.sqrt(c.d)


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


def rope_scaled(c: Head, i: int, j: int) -> float:
    method, trained = c.settings["method"], c.settings["trained_tokens"]
    s = c.settings.get("factor") or max(1, c.n / trained)
    total = 0.0
    for t in range(c.d // 2):
        rate = 10000 ** (-2 * t / c.d)
        if method == "interpolation":
            rate /= s
        elif method == "ntk":
            rate = (10000 * s ** (c.d / (c.d - 2))) ** (-2 * t / c.d)
        else:
            turns = trained / (2 * math.pi / rate)
            kept = 0 if turns < 1 else 1 if turns > 32 else (turns - 1) / 31
            rate = (1 - kept) * rate / s + kept * rate
        q, k = complex(*c.q[i, 2 * t : 2 * t + 2]), complex(*c.k[j, 2 * t : 2 * t + 2])
        total += (q * k.conjugate() * cmath.exp(1j * rate * (i - j))).real
    total += float(c.q[i, c.d // 2 * 2 :] @ c.k[j, c.d // 2 * 2 :])
    temperature = (0.1 * math.log(s) + 1) ** -2 if method == "yarn" else 1
    return total / (temperature * math.sqrt(c.d))


def fope(c: Head, i: int, j: int) -> float:
    slowest = 2 * math.pi / c.settings.get("trained_tokens", c.n)
    rates = [10000 ** (-2 * t / c.d) for t in range(c.d // 2)]
    rates = [rate for t, rate in enumerate(rates) if rate >= slowest or t == 0]
    turned = []
    for x, place in ((c.q[i], i), (c.k[j], j)):
        y = x.copy()
        for t, own in enumerate(rates):
            cosine, sine = math.cos(own * place), math.sin(own * place)
            for f, rate in enumerate(rates):
                a, b = c.parameters["coefficients"][c.block, :, c.number, f, t]
                cosine += float(a) * math.cos(rate * place)
                sine += float(b) * math.sin(rate * place)
            y[2 * t] = x[2 * t] * cosine - x[2 * t + 1] * sine
            y[2 * t + 1] = x[2 * t] * sine + x[2 * t + 1] * cosine
        turned.append(y)
    return float(turned[0] @ turned[1]) / math.sqrt(c.d)


def tupe(c: Head, i: int, j: int) -> float:
    def norm(p: Array) -> Array:
        return np.asarray((p - p.mean()) / math.sqrt(p.var() + 1e-5))

    to_queries, to_keys = c.parameters["projections"][:, c.number]
    places = c.parameters["places"]
    position = float((norm(places[i]) @ to_queries) @ (norm(places[j]) @ to_keys)) / math.sqrt(c.d)
    untied = (float(c.q[i] @ c.k[j]) / math.sqrt(c.d) + position) / math.sqrt(2)
    return untied + (t5_bias(c, i, j) - content(c, i, j) if c.settings.get("relative") else 0)


def gate(c: Head, token: int) -> float:
    """Return what this head's gate of the block answers to a token."""
    w, a = c.parameters["weight"][c.block][:, c.number], c.parameters["bias"][c.block][c.number]
    return float(w @ c.x[token] + a)


def fox(c: Head, i: int, j: int) -> float:
    if j > i:
        return -math.inf
    return content(c, i, j) + sum(math.log(1 / (1 + math.exp(-gate(c, m)))) for m in range(j + 1, i + 1))


def cable(c: Head, i: int, j: int) -> float:
    between = range(min(i, j) + 1, max(i, j) + 1)
    return content(c, i, j) - sum(math.log(1 + math.exp(gate(c, m))) for m in between)


def path(c: Head, i: int, j: int) -> float:
    if j > i:
        return -math.inf
    key, own = c.k[j], (c.block, c.number)
    for t in range(j + 1, i + 1):
        lags = [lag for lag in range(3) if lag <= t]
        taps, to_direction = c.parameters["taps"][own], c.parameters["directions"][own]
        w = np.sum([taps[lag] * (c.x[t - lag] @ to_direction) for lag in lags], axis=0)
        w = w / np.linalg.norm(w)
        strength = float(c.parameters["strengths"][own] @ c.x[t] + c.parameters["bias"][own])
        key = (np.eye(c.d) - 2 / (1 + math.exp(-strength)) * np.outer(w, w)) @ key
    return float(c.q[i] @ key) / math.sqrt(c.d)


def xpos(c: Head, i: int, j: int) -> float:
    if j > i:
        return -math.inf
    total = float(c.q[i, c.d // 2 * 2 :] @ c.k[j, c.d // 2 * 2 :])
    for t in range(c.d // 2):
        q, k = complex(*c.q[i, 2 * t : 2 * t + 2]), complex(*c.k[j, 2 * t : 2 * t + 2])
        turned = (q * k.conjugate() * cmath.exp(1j * (i - j) / 10000 ** (2 * t / c.d))).real
        total += turned * ((2 * t / c.d + 0.4) / 1.4) ** ((i - j) / c.settings.get("scale_base", 512))
    return total / math.sqrt(c.d)


FORMULAS: list[Callable[[Head, int, int], float]] = [rope, rope_nd, shaw_key, music_transformer]
FORMULAS += [transformer_xl, t5_bias, alibi, toeplitz_bias, deberta, cope, causal_none]
FORMULAS += [cpb, fire, hop_bias, rrwp_bias, rope_mixed, liere, pope, kerple, sandwich]
FORMULAS += [rope_scaled, fope, tupe, fox, cable, path, xpos]
LOGITS = {formula.__name__: formula for formula in FORMULAS}
LOGITS |= {"shaw": shaw_key, "urpe": toeplitz_bias, "erpe": content}


def naive_outputs(scheme: str, c: Head, normalised: bool) -> Array:
    """Return outputs [n, d_v] under softmax, or with the plain exponentials of the logits as weights."""
    outputs = np.zeros_like(c.v)
    for i in range(c.n):
        weights = [math.exp(LOGITS[scheme](c, i, j)) for j in range(c.n)]
        total = sum(weights) if normalised else 1
        for j in range(c.n):
            weight, value = weights[j] / total, c.v[j]
            if scheme == "urpe":
                weight *= c.per_offset("factor", j - i)
            if scheme == "erpe":
                weight += c.parameters["scalars"][c.block, c.number, j - i + c.n - 1]
            if scheme == "shaw":
                value = value + c.clip_offsets("values", j - i)
            outputs[i] += weight * value
    return outputs
