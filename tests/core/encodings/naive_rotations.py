"""Logits of schemes that turn queries and keys, one query and key at a time."""

import cmath
import math

import numpy as np
import scipy
from naive_head import Head


def turn(c: Head, i: int, j: int, turns: list[complex]) -> float:
    """Turn q_i and k_j, each pair of columns a complex number, leave columns behind them, and multiply."""
    total = float(c.q[i, 2 * len(turns) :] @ c.k[j, 2 * len(turns) :])
    for t, by in enumerate(turns):
        q, k = complex(*c.q[i, 2 * t : 2 * t + 2]), complex(*c.k[j, 2 * t : 2 * t + 2])
        total += (q * k.conjugate() * by).real
    return total / math.sqrt(c.d)


def rope(c: Head, i: int, j: int) -> float:
    pairs = math.floor(c.settings.get("fraction", 1) * c.d / 2)
    return turn(c, i, j, [cmath.exp(1j * (i - j) / 10000 ** (2 * t / c.d)) for t in range(pairs)])


def rope_nd(c: Head, i: int, j: int) -> float:
    pairs = c.d // 4
    turns = []
    for offset in c.coordinates[i] - c.coordinates[j]:
        turns += [cmath.exp(1j * float(offset) / 10000 ** (t / pairs)) for t in range(pairs)]
    return turn(c, i, j, turns)


def rope_mixed(c: Head, i: int, j: int) -> float:
    places = c.spectral if c.settings.get("positions") == "spectral" else c.coordinates
    omega = c.parameters["omega"][c.block, c.number]
    return turn(c, i, j, [cmath.exp(1j * float(each @ (places[i] - places[j]))) for each in omega])


def rope_scaled(c: Head, i: int, j: int) -> float:
    method, trained = c.settings["method"], c.settings["trained_tokens"]
    s = c.settings.get("factor") or max(1, c.n / trained)
    turns = []
    for t in range(c.d // 2):
        rate = 10000 ** (-2 * t / c.d)
        if method == "interpolation":
            rate /= s
        elif method == "ntk":
            rate = (10000 * s ** (c.d / (c.d - 2))) ** (-2 * t / c.d)
        else:
            rounds = trained / (2 * math.pi / rate)
            kept = 0 if rounds < 1 else 1 if rounds > 32 else (rounds - 1) / 31
            rate = (1 - kept) * rate / s + kept * rate
        turns.append(cmath.exp(1j * rate * (i - j)))
    temperature = (0.1 * math.log(s) + 1) ** -2 if method == "yarn" else 1
    return turn(c, i, j, turns) / temperature


def xpos(c: Head, i: int, j: int) -> float:
    far = (i - j) / c.settings.get("scale_base", 512)
    fading = [((2 * t / c.d + 0.4) / 1.4) ** far for t in range(c.d // 2)]
    turns = [fade * cmath.exp(1j * (i - j) / 10000 ** (2 * t / c.d)) for t, fade in enumerate(fading)]
    return turn(c, i, j, turns)


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


def pope(c: Head, i: int, j: int) -> float:
    total = 0.0
    for column in range(c.d):
        delta = float(c.parameters["delta"][c.block, c.number, column])
        angle = (j - i) / 10000 ** (column / c.d) + delta
        total += math.log1p(math.exp(c.q[i, column])) * math.log1p(math.exp(c.k[j, column])) * math.cos(angle)
    return total / math.sqrt(c.d)
