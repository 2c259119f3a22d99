"""Attention under each scheme, rebuilt from its formula alone: float64, one query, key and head at a time."""

import math
from collections.abc import Callable

import numpy as np
from naive_biases import alibi, cpb, fire, hop_bias, kerple, rrwp_bias, sandwich, t5_bias, toeplitz_bias
from naive_contents import cable, cope, deberta, fox, music_transformer, path, shaw_key, transformer_xl, tupe
from naive_head import Array, Head, content
from naive_rotations import fope, liere, pope, rope, rope_mixed, rope_nd, rope_scaled, xpos

FORMULAS: list[Callable[[Head, int, int], float]] = [
    *(alibi, cpb, fire, hop_bias, kerple, rrwp_bias, sandwich, t5_bias, toeplitz_bias),
    *(cable, cope, deberta, fox, music_transformer, path, shaw_key, transformer_xl, tupe),
    *(fope, liere, pope, rope, rope_mixed, rope_nd, rope_scaled, xpos),
]
LOGITS = {formula.__name__: formula for formula in FORMULAS}
LOGITS |= {"causal_none": content, "shaw": shaw_key, "urpe": toeplitz_bias, "erpe": content}
CAUSAL = {"causal_none", "cope", "fox", "music_transformer", "path", "xpos"}


def naive_outputs(scheme: str, c: Head, normalised: bool) -> Array:
    """Return outputs [n, d_v] under softmax, or with the plain exponentials of the logits as weights."""
    outputs = np.zeros_like(c.v)
    for i in range(c.n):
        seen = range(i + 1 if scheme in CAUSAL else c.n)
        weights = [math.exp(LOGITS[scheme](c, i, j)) for j in seen]
        total = sum(weights) if normalised else 1
        for j in seen:
            weight, value = weights[j] / total, c.v[j]
            if scheme == "urpe":
                weight *= c.per_offset("factor", j - i)
            if scheme == "erpe":
                weight += c.parameters["scalars"][c.block, c.number, j - i + c.n - 1]
            if scheme == "shaw":
                value = value + c.clip_offsets("values", j - i)
            outputs[i] += weight * value
    return outputs
