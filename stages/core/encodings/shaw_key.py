"""A learned key vector per offset: the first half of `shaw`.

b_ij = q_i . (k_j + a^K_clip(j - i)) / sqrt(d_h); offsets beyond `max_distance` count as that one. Each block
has its own table, shared by its heads.
Source: Shaw et al. 2018, arXiv 1803.02155, equation 4.
"""

from .bases.offsets import OffsetKeys


class Encoding(OffsetKeys):
    """Trained key tables [R, blocks, 2 D + 1, d_h], D = min(max_distance, n - 1)."""
