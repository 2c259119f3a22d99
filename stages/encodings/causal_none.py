"""A causal mask and no encoding ("c-NoPE"): each token sees itself and earlier tokens.

b_ij = -inf for j > i.
Source: Kazemnejad et al. 2023, arXiv 2305.19466.
"""

from torch import Tensor

from stages.encodings.interface import PositionalEncoding
from stages.positions.offsets import mask_future


class Encoding(PositionalEncoding):
    """Only the mask."""

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        return mask_future(logits, rows)
