"""How attention logits [..., n] become weights, by name: rows that sum to one, or that do not.

Where every row sums to one, equal values give equal outputs, so that a scheme that acts on the logits alone
cannot tell the positions of equal tokens apart. The other three are remedies (Su Jianlin, "A theoretical flaw
of relative-position transformers and its remedies", 2022; Hua et al. 2022, arXiv 2202.10447). A logit of -inf
gets the weight 0 in all of them.
"""

import torch
from torch import Tensor

LARGEST = 20.0  # exp_mean counts larger logits as this; a weight of e^20 / n drowns all else long before


def softmax(logits: Tensor) -> Tensor:
    """exp(b_ij) / sum_j exp(b_ij): rows of unit sum."""
    return torch.softmax(logits, dim=-1)


def l2(logits: Tensor) -> Tensor:
    """exp(b_ij) / sqrt(sum_j exp(2 b_ij)): rows of unit Euclidean norm."""
    return torch.exp(logits - 0.5 * torch.logsumexp(2 * logits, dim=-1, keepdim=True))


def exp_mean(logits: Tensor) -> Tensor:
    """exp(b_ij) / n, n all tokens, also those a causal mask hides.

    Nothing divides a large logit away; it is clipped at LARGEST so that no weight overflows.
    """
    return torch.exp(logits.clamp(max=LARGEST)) / logits.shape[-1]


def relu2_mean(logits: Tensor) -> Tensor:
    """max(b_ij, 0)^2 / n, n all tokens."""
    return logits.clamp(min=0) ** 2 / logits.shape[-1]


def initial_gain(name: str, n_tokens: int) -> float:
    """Factor on the initial value and output projections of multi-head attention.

    ASSUME n^(-1/4) on each for l2: near-equal logits give rows that sum to sqrt(n), and the two factors bring
    the mean of the values back to the size it has under softmax. The others start at rows that sum to about
    one or less.
    """
    return float(n_tokens**-0.25) if name == "l2" else 1.0
