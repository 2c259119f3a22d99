"""A causal mask and no encoding ("c-NoPE"): each token sees itself and earlier tokens.

b_ij = -inf for j > i.
Source: Kazemnejad et al. 2023, arXiv 2305.19466.
"""

from .interface import PositionalEncoding


class Encoding(PositionalEncoding):
    """Only the mask."""

    by_index = True
    causal = True
