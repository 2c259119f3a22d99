from pathlib import Path

import numpy as np
import pytest
import torch

from stages.files.artifacts import write_arrays
from stages.parameters import params
from stages.randomness.streams import Replicates
from stages.tasks.grid.task import DATA, Grid, load

ROOT = Path(__file__).parents[3]
STREAMS = Replicates(0, "grid", range(2))


def puzzles(n: int = 10) -> Grid:
    numbers = np.random.default_rng(0)
    some = {split: torch.from_numpy(numbers.integers(0, 6, (n, 16))) for split in ("train", "validation")}
    return Grid(some, {split: torch.arange(n) % 4 for split in some}, order=4)


def test_an_epoch_is_every_puzzle_once_in_each_replica_s_own_order() -> None:
    task = puzzles()
    batches = list(task.epoch(STREAMS, 1, 4))
    assert [batch.inputs.shape for batch in batches] == [(2, 4, 16), (2, 4, 16), (2, 2, 16)]
    seen = torch.cat([batch.inputs for batch in batches], dim=1)
    for replica in range(2):
        assert sorted(seen[replica].tolist()) == sorted(task.puzzles["train"].tolist())
    assert not torch.equal(seen[0], seen[1])


def test_answers_stay_with_their_puzzles() -> None:
    task = puzzles()
    stored = zip(task.puzzles["train"].tolist(), task.answers["train"].tolist(), strict=True)
    answer = {tuple(tokens): target for tokens, target in stored}
    for batch in task.epoch(STREAMS, 1, 4):
        tokens, targets = batch.inputs.flatten(0, 1).tolist(), batch.targets.flatten().tolist()
        assert [answer[tuple(some)] for some in tokens] == targets


def test_loss_is_cross_entropy_in_nats_and_score_is_accuracy() -> None:
    task = puzzles()
    batch = next(task.evaluation("validation", 8))
    outputs = torch.randn(2, 8, 1, 4)
    log_p = outputs[:, :, 0].log_softmax(-1)
    expected = [[-log_p[r, b, batch.targets[0, b]].item() for b in range(8)] for r in range(2)]
    torch.testing.assert_close(task.loss(outputs, batch), torch.tensor(expected))
    right = outputs[:, :, 0].argmax(-1) == batch.targets
    assert torch.equal(task.score(outputs, batch), right.float())


def test_evaluation_keeps_the_stored_order() -> None:
    task = puzzles()
    stored = torch.cat([batch.inputs[0] for batch in task.evaluation("validation", 3)])
    assert torch.equal(stored, task.puzzles["validation"])


def test_an_epoch_can_be_taken_up_again_at_any_batch() -> None:
    task = puzzles()
    whole = [batch.inputs for batch in task.epoch(STREAMS, 1, 4)]
    rest = [batch.inputs for batch in task.epoch(STREAMS, 1, 4, start=1)]
    assert all(torch.equal(one, other) for one, other in zip(whole[1:], rest, strict=True))


def test_puzzles_of_another_order_say_how_to_make_them_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_arrays(DATA, {"train_puzzles": np.zeros((3, 25), np.int8)})
    with pytest.raises(ValueError, match=r"puzzles of 25 cells, but grid\.order is 4; make them again"):
        load(params.load(ROOT / "params.yaml"), torch.device("cpu"))
