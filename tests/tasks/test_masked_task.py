import numpy as np
import torch
from random_tasks import masked

from stages.core.randomness.streams import Replicates

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


def test_scores_are_means_over_counted_tokens() -> None:
    task = masked(20)
    outputs = torch.randn(2, 20, 6, 1)
    for held_out in (None, np.eye(6, k=1, dtype=np.bool_) | np.eye(6, k=-1, dtype=np.bool_)):
        task.held_out = held_out
        counted = task.count(task.masks["test"])
        errors = ((outputs[..., 0] - task.frames["test"]) ** 2).numpy()
        scored = [
            task.score(outputs[:, rows], batch)
            for rows, batch in zip(
                (slice(0, 8), slice(8, 16), slice(16, 20)), task.evaluation("test", 8), strict=True
            )
        ]
        expected = [errors[replica][counted].mean() for replica in range(2)]
        np.testing.assert_allclose(torch.cat(scored, 1).mean(1).numpy(), expected, rtol=1e-5)
    assert len(set(counted.sum(-1))) > 1  # so that a mean of means is another number
