"""A learned bias per head and bucket of offsets, shared by the blocks.

b_ij + bias[h, bucket(j - i)]. Half of the buckets are for keys after the query, as in T5's encoder; under
a causal mask all are for keys before it, as in its decoder. In each direction the first half of its buckets
hold one distance each; the others grow logarithmically up to `max_distance`; farther offsets share the last.
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
        buckets: Annotated[int, Field(ge=4, multiple_of=2)] = 32,  # per head
        # from here on all offsets share the last bucket
        max_distance: Annotated[Count, Field(validate_default=True), AfterValidator(share_buckets)] = 128,
        init_std: NonNegative | None = None,  # initial standard deviation; null: 1 / sqrt(d), ASSUME
    ) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([host.indices]))
        self.farthest = host.span - 1
        if host.causal and max_distance <= buckets // 2:
            raise InputError(
                f"t5_bias: max_distance {max_distance} given, expected more than the {buckets // 2} "
                "distances that have a bucket of their own under a causal mask; take fewer buckets"
            )
        # as many again would be for later keys, which the mask hides
        both = 2 * buckets if host.causal else buckets
        self.register_buffer("buckets", list_buckets(self.farthest, both, max_distance)[None] % buckets)
        std = host.width**-0.5 if init_std is None else init_std
        self.bias = nn.Parameter(normal(std, (host.heads, buckets), host.generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        offset = clip_offsets(offsets(self.indices[0], rows), self.farthest)
        return logits + self.bias[:, None, :, self.buckets[0, offset]]
