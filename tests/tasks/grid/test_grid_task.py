import numpy as np
import pytest
import torch
from changed_params import change_settings
from random_tasks import puzzles

from stages.randomness.streams import Replicates
from stages.tasks.grid.task import load

STREAMS = Replicates(0, "grid", range(2))


def test_an_epoch_is_every_puzzle_once_in_each_replica_s_own_order() -> None:
    task = puzzles(10)
    batches = list(task.epoch(STREAMS, 1, 4))
    assert [batch.inputs.shape for batch in batches] == [(2, 4, 16), (2, 4, 16), (2, 2, 16)]
    seen = torch.cat([batch.inputs for batch in batches], dim=1)
    for replica in range(2):
        assert sorted(seen[replica].tolist()) == sorted(task.puzzles["train"].tolist())
    assert not torch.equal(seen[0], seen[1])


def test_answers_stay_with_their_puzzles() -> None:
    task = puzzles(10)
    stored = zip(task.puzzles["train"].tolist(), task.answers["train"].tolist(), strict=True)
    answer = {tuple(tokens): target for tokens, target in stored}
    for batch in task.epoch(STREAMS, 1, 4):
        tokens, targets = batch.inputs.flatten(0, 1).tolist(), batch.targets.flatten().tolist()
        assert [answer[tuple(puzzle)] for puzzle in tokens] == targets


def test_loss_is_cross_entropy_in_nats_and_score_is_accuracy() -> None:
    task = puzzles(10)
    batch = next(task.evaluation("test", 8))
    outputs = torch.randn(2, 8, 1, 4)
    log_p = outputs[:, :, 0].log_softmax(-1)
    expected = [[-log_p[r, b, batch.targets[0, b]].item() for b in range(8)] for r in range(2)]
    torch.testing.assert_close(task.loss(outputs, batch), torch.tensor(expected))
    right = outputs[:, :, 0].argmax(-1) == batch.targets
    assert torch.equal(task.score(outputs, batch), right.float())


def test_puzzles_of_another_order_say_how_to_make_them_again() -> None:
    data = {"train_puzzles": np.zeros((3, 25), np.int8)}
    with pytest.raises(ValueError, match=r"puzzles of 25 cells, but grid\.order is 4; make them again"):
        load(change_settings({}), data, torch.device("cpu"))


def test_stored_puzzles_and_answers_become_the_task() -> None:
    data = {f"{split}_puzzles": np.full((2, 16), 5, np.uint8) for split in ("train", "test", "validation")}
    data |= {f"{split}_answers": np.array([1, 4], np.uint8) for split in ("train", "test", "validation")}
    task = load(change_settings({}), data, torch.device("cpu"))
    assert task.splits == ("train", "test", "validation") and task.n_outputs == 4
    assert task.answers["test"].tolist() == [0, 3] and (task.puzzles["test"] == 5).all()
