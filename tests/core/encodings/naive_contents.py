"""Logits of schemes in which queries, keys or tokens meet places, one query and key at a time."""

import math

import numpy as np
from naive_biases import t5_bias
from naive_head import Array, Head, content


def shaw_key(c: Head, i: int, j: int) -> float:
    return float(c.q[i] @ (c.k[j] + c.clip_offsets("keys", j - i))) / math.sqrt(c.d)


def music_transformer(c: Head, i: int, j: int) -> float:
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
    position = sum(1 / (1 + math.exp(-float(c.q[i] @ c.k[between]))) for between in range(j, i + 1))
    position = min(position, c.settings.get("max_position", c.n))
    e = c.parameters["vectors"][c.block]
    low, high = math.floor(position), math.ceil(position)
    mean = e[low] + (position - low) * (e[high] - e[low])
    return content(c, i, j) + float(c.q[i] @ mean)


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
    return content(c, i, j) + sum(math.log(1 / (1 + math.exp(-gate(c, m)))) for m in range(j + 1, i + 1))


def cable(c: Head, i: int, j: int) -> float:
    between = range(min(i, j) + 1, max(i, j) + 1)
    return content(c, i, j) - sum(math.log(1 + math.exp(gate(c, m))) for m in between)


def path(c: Head, i: int, j: int) -> float:
    key, own = c.k[j], (c.block, c.number)
    for t in range(j + 1, i + 1):
        lags = [lag for lag in range(3) if lag <= t]
        taps, to_direction = c.parameters["taps"][own], c.parameters["directions"][own]
        w = np.sum([taps[lag] * (c.x[t - lag] @ to_direction) for lag in lags], axis=0)
        w = w / np.linalg.norm(w)
        strength = float(c.parameters["strengths"][own] @ c.x[t] + c.parameters["bias"][own])
        key = (np.eye(c.d) - 2 / (1 + math.exp(-strength)) * np.outer(w, w)) @ key
    return float(c.q[i] @ key) / math.sqrt(c.d)
