import numpy as np
import torch
from random_tasks import masked

from stages.randomness.streams import Replicates

STREAMS = Replicates(0, "network", range(2))


def test_visible_values_and_the_mask_are_the_features() -> None:
    task = masked(20)
    batch = next(task.evaluation("test", 20))
    assert batch.counted is not None
    hidden = torch.from_numpy(task.masks["test"])
    assert torch.equal(batch.inputs[0, ..., 1].bool(), hidden)
    assert torch.equal(batch.inputs[0, ..., 0], task.frames["test"] * ~hidden)
    assert (batch.inputs[..., 1].sum(-1) == 3).all()


def test_training_draws_other_masks_each_batch_epoch_and_for_each_replica() -> None:
    task = masked(20)
    one, other = (batch.inputs[..., 1] for batch in list(task.epoch(STREAMS, 1, 8))[:2])
    assert not torch.equal(one, other)
    first, second = (
        torch.cat([batch.inputs for batch in task.epoch(STREAMS, e, 8)], 1)[..., 1] for e in (1, 2)
    )
    assert first.shape == (2, 20, 6) and (first.sum(-1) == 3).all()
    assert not torch.equal(first[0], first[1]) and not torch.equal(first, second)


def test_loss_counts_hidden_tokens_alone() -> None:
    task = masked(20)
    batch = next(task.evaluation("test", 20))
    outputs = torch.randn(2, 20, 6, 1)
    frames, masks, out = task.frames["test"].numpy(), task.masks["test"], outputs[..., 0].numpy()
    expected = [[np.mean((out[r, t] - frames[t])[masks[t]] ** 2) for t in range(20)] for r in range(2)]
    np.testing.assert_allclose(task.loss(outputs, batch).numpy(), expected, rtol=1e-5)
