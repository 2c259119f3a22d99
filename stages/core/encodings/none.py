"""No positional encoding ("NoPE"): attention sees the tokens as a set.

Source: Kazemnejad et al. 2023, arXiv 2305.19466, there with a causal mask (`causal_none`).
"""

from .interface import PositionalEncoding


class Encoding(PositionalEncoding):
    """Acts nowhere."""

    by_index = True
