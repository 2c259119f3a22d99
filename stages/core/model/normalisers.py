"""Normalisers, by name: functions from attention logits [..., n] to weights.

With softmax every row sums to one. Equal values then give equal outputs, so a scheme that acts only on the
logits cannot tell equal tokens apart. The others are remedies (Su Jianlin, "A theoretical flaw of
relative-position transformers and its remedies", 2022; Hua et al. 2022, arXiv 2202.10447). All give a logit
of -inf the weight 0.
"""

import torch
from torch import Tensor

from . import compilable

LARGEST = 20.0  # exp_mean clips larger logits; a weight of e^20 / n already dominates all others


def softmax(logits: Tensor) -> Tensor:
    """Return exp(b_ij) / sum_j exp(b_ij): rows of unit sum."""
    return compilable.softmax(logits) if torch.compiler.is_compiling() else torch.softmax(logits, dim=-1)


def l2(logits: Tensor) -> Tensor:
    """Return exp(b_ij) / sqrt(sum_j exp(2 b_ij)): rows of unit Euclidean norm."""
    return torch.exp(logits - 0.5 * torch.logsumexp(2 * logits, dim=-1, keepdim=True))


def l2_signed(logits: Tensor) -> Tensor:
    """Return b_ij / sqrt(sum_j b_ij^2): rows of unit Euclidean norm with weights of both signs.

    The variant that Su Jianlin rejects. A row of zeros gets weights of 0.
    """
    seen = logits.masked_fill(logits.isneginf(), 0)
    return torch.nn.functional.normalize(seen, dim=-1)


def exp_mean(logits: Tensor) -> Tensor:
    """Return exp(b_ij) / n, where n counts all tokens, masked ones included.

    Logits are clipped at LARGEST, or weights could overflow.
    """
    return torch.exp(logits.clamp(max=LARGEST)) / logits.shape[-1]


def relu2_mean(logits: Tensor) -> Tensor:
    """Return max(b_ij, 0)^2 / n, where n counts all tokens."""
    return logits.clamp(min=0) ** 2 / logits.shape[-1]


def initial_gain(name: str, n_tokens: int) -> float:
    """Return the factor on the initial value and output projections of multi-head attention.

    ASSUME n^(-1/4) on each for l2: near-equal logits give rows that sum to sqrt(n), and the two factors
    restore the scale that outputs have under softmax. The rows of the others start with sums of about one or
    less.
    """
    return float(n_tokens**-0.25) if name == "l2" else 1.0
