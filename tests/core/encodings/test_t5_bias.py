"""T5's bias: which offsets share a bucket, in its encoder and in its decoder."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hosts import make_encoding, make_host, randomise

from stages.core.encodings.lookup.resolve import create, resolve
from stages.core.model.attention import ALL
from stages.core.positions.offsets import bucket, list_buckets
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.errors import InputError


def test_t5_buckets_by_hand() -> None:
    # the first 8 hold a distance each; the others begin at 8 * 16^(step / 8) = 11.3, 16, 22.6, 32, ..., 90.5
    before = {0: 0, 1: 1, 7: 7, 8: 8, 11: 8, 12: 9, 15: 9, 16: 10, 22: 10, 23: 11, 32: 12, 64: 14, 90: 14}
    before |= {91: 15, 128: 15, 1000: 15}
    assert {distance: bucket(-distance, buckets=32, max_distance=128) for distance in before} == before
    assert [bucket(offset, 32, 128) for offset in (1, 7, 16, 500)] == [17, 23, 26, 31]
    # the smallest tell only the side
    assert [bucket(offset, 4, 2) for offset in (-9, -1, 0, 1, 9)] == [1, 1, 0, 3, 3]
    every = range(-300, 301)
    assert list_buckets(300, 32, 128).tolist() == [bucket(offset, 32, 128) for offset in every]


# where each bucket of T5 begins, as its code has them: encoder (of each half), decoder
BEGIN = {
    "none": [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91],
    "causal": [*range(16), 16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113],
}


@torch.no_grad()
@pytest.mark.parametrize("mask", ["none", "causal"])
def test_t5_has_the_buckets_of_its_encoder_or_under_a_mask_of_its_decoder(mask: Any) -> None:
    n, begin = 130, np.array(BEGIN[mask])
    host = replace(make_host(4), indices=tuple(range(n)))
    encoding = randomise(create(Configuration("pe", "t5_bias", {}, Architecture(mask=mask)), host))
    bias, none = encoding.get_parameter("bias"), torch.zeros(1, 1, 3, n, n)
    added = encoding.logits(0, none, none, none, none, ALL)[:, 0]
    offset = np.arange(n) - np.arange(n)[:, None]
    number = np.searchsorted(begin, abs(offset), side="right") - 1 + 16 * (offset > 0)
    seen = (offset <= 0) | (mask == "none")
    assert bias.shape == (2, 3, 32) and added[:, :, seen].equal(bias[:, :, number[seen]])
    share = make_encoding("combined", {"parts": [{"scheme": "fox"}, {"scheme": "t5_bias"}]}, host)
    assert share.get_buffer("parts.1.buckets")[0, 0] == 31
    with pytest.raises(
        InputError, match="^t5_bias: max_distance 16 given, expected more than the 16 distances"
    ):
        few = {"max_distance": 16}
        create(Configuration("pe", "t5_bias", few, Architecture(mask="causal")), make_host())


def test_so_many_buckets_that_the_usual_farthest_distance_has_its_own_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^pe\.max_distance: 128 given, expected .* beyond the 128 dist"):
        resolve(Configuration("pe", "t5_bias", {"buckets": 512}))
