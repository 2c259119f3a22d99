"""A learned bias per head and bucket of offsets, shared by the blocks.

b_ij + bias[h, bucket(j - i)]. Half of the buckets are for keys after the query. In each half, the first half
of the buckets hold one distance each; the others grow logarithmically up to `max_distance`, and farther
offsets share the last. ASSUME so under a causal mask, too: T5's decoder has all 32 for keys before the query,
so its weights do not fit here.
Source: Raffel et al. 2020, arXiv 1910.10683, section 2.1.
"""

from typing import Annotated

import torch
from pydantic import AfterValidator, Field, ValidationInfo
from torch import Tensor, nn

from ..positions.offsets import clip_offsets, list_buckets, offsets
from ..randomness.initial import normal
from ..settings.errors import InputError
from ..settings.kinds import Count, NonNegative
from .interface import Host, PositionalEncoding


def share_buckets(max_distance: int, info: ValidationInfo) -> int:
    """Check that some of the buckets are left for several distances; return max_distance.

    Raises InputError.
    """
    exact = info.data.get("buckets", 0) // 4
    if max_distance <= exact:
        raise InputError(f"a max_distance beyond the {exact} distances with a bucket of their own")
    return max_distance


class Encoding(PositionalEncoding):
    """Trained biases [R, H, buckets]; buckets [1, 2n - 1]: bucket of each offset 1 - n..n - 1."""

    by_index = True
    indices: Tensor
    buckets: Tensor

    def __init__(
        self,
        host: Host,
        buckets: Annotated[int, Field(ge=4, multiple_of=2)] = 32,  # per head, for both directions together
        # from here on all offsets share the last bucket
        max_distance: Annotated[Count, Field(validate_default=True), AfterValidator(share_buckets)] = 128,
        init_std: NonNegative | None = None,  # initial standard deviation; null: 1 / sqrt(d), ASSUME
    ) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([host.indices]))
        self.farthest = host.span - 1
        self.register_buffer("buckets", list_buckets(self.farthest, buckets, max_distance)[None])
        std = host.width**-0.5 if init_std is None else init_std
        self.bias = nn.Parameter(normal(std, (host.heads, buckets), host.generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        offset = clip_offsets(offsets(self.indices[0], rows), self.farthest)
        return logits + self.bias[:, None, :, self.buckets[0, offset]]
