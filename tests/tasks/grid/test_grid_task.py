import numpy as np
import pytest
import torch
from changed_params import change_settings
from random_tasks import puzzles

from stages.core.randomness.streams import Replicates
from stages.tasks.grid.task import load

STREAMS = Replicates(0, "grid", range(2))


def test_an_epoch_is_every_puzzle_with_its_answer_in_each_replica_s_own_order() -> None:
    task = puzzles(10)
    batches = list(task.epoch(STREAMS, 1, 4))
    assert [batch.inputs.shape for batch in batches] == [(2, 4, 16), (2, 4, 16), (2, 2, 16)]
    pairs = [torch.cat([batch.inputs, batch.targets[..., None]], dim=-1) for batch in batches]
    first, second = torch.cat(pairs, dim=1).tolist()
    stored = torch.cat([task.puzzles["train"], task.answers["train"][:, None]], dim=-1).tolist()
    assert sorted(first) == sorted(second) == sorted(stored) and first != second


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
