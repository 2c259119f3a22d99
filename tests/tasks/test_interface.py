import numpy as np
import torch

from stages.randomness.streams import Replicates
from stages.tasks.interface import batch_rows


def test_an_epoch_is_each_replicate_s_own_permutation_in_batches() -> None:
    replicates = Replicates(0, "grid", [0, 3])
    batches = batch_rows(50, replicates, 7, 16, torch.device("cpu"))
    assert [batch.shape for batch in batches] == [(2, 16), (2, 16), (2, 16), (2, 2)]
    expected = [stream.permutation(50) for stream in replicates.generators("epoch", 7)]
    np.testing.assert_array_equal(torch.cat(batches, 1).numpy(), expected)
