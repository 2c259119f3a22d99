from collections.abc import Callable

import numpy as np
import pytest
import random_tasks
import torch

from stages.core.randomness.streams import Replicates
from stages.tasks.interface import Task, batch_rows

EVERY = pytest.mark.parametrize("make", [random_tasks.masked, random_tasks.puzzles, random_tasks.words])


def test_an_epoch_is_each_replicate_s_own_permutation_in_batches() -> None:
    replicates = Replicates(0, "grid", [0, 3])
    batches = batch_rows(50, replicates, 7, 16, torch.device("cpu"))
    assert [batch.shape for batch in batches] == [(2, 16), (2, 16), (2, 16), (2, 2)]
    expected = [stream.permutation(50) for stream in replicates.generators("epoch", 7)]
    np.testing.assert_array_equal(torch.cat(batches, 1).numpy(), expected)


@EVERY
def test_an_epoch_can_be_taken_up_again_at_any_batch(make: Callable[[], Task]) -> None:
    batches = [list(make().epoch(Replicates(0, "x", range(2)), 1, 16, start)) for start in (0, 1)]
    for whole, rest in zip(batches[0][1:], batches[1], strict=True):
        assert torch.equal(whole.inputs, rest.inputs) and torch.equal(whole.targets, rest.targets)


@EVERY
def test_evaluation_keeps_the_stored_order(make: Callable[[], Task]) -> None:
    in_parts, (at_once,) = make().evaluation("test", 15), make().evaluation("test", 40)
    assert torch.equal(torch.cat([batch.inputs for batch in in_parts], 1), at_once.inputs)
