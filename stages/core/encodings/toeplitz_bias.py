"""A learned bias per head and offset, shared by the blocks.

b_ij + beta_{j-i}, beta ~ N(0, 0.02^2) at the start: `t5_bias` with one bias per offset instead of buckets.
Source: Raffel et al. 2020, arXiv 1910.10683.
"""

from .bases.offsets import OffsetBias


class Encoding(OffsetBias):
    """Trained biases [R, H, 2n - 1]."""
