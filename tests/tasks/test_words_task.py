import numpy as np
import pytest
import torch
from changed_params import change_settings
from random_tasks import words
from torch import Tensor

from stages.core.randomness.streams import Replicates
from stages.tasks.bases.labels import places
from stages.tasks.even_tokens.task import every_second
from stages.tasks.interface import Codes, load_task

STREAMS = Replicates(0, "identification", range(3))


def words_of(epoch: int, streams: Replicates = STREAMS) -> Tensor:
    return torch.cat([batch.inputs for batch in words(20).epoch(streams, epoch, 8)], dim=1)


@pytest.mark.parametrize(
    ("words", "labels"), [([3, 1, 4, 1, 5, 9], [1, 1, 9, 0, 0, 0]), ([3, 1, 4, 2, 5], [1, 2, 0, 0, 0])]
)
def test_every_second_word_and_then_the_end(words: list[int], labels: list[int]) -> None:
    assert every_second(torch.tensor([[words]])).tolist() == [[labels]]
    assert places(torch.tensor([[words]])).tolist() == [[[*range(len(words))]]]  # whatever the words


def test_each_replica_and_epoch_draws_so_many_sequences_of_every_word() -> None:
    first, second = words_of(1), words_of(2)
    assert first.shape == (3, 20, 6) and words(20).inputs == Codes(6)  # blank and five words
    assert set(first.flatten().tolist()) == {1, 2, 3, 4, 5}
    assert not torch.equal(first[0], first[1]) and not torch.equal(first, second)
    alone = words_of(1, Replicates(0, "identification", [2]))  # whatever it is stacked with
    assert torch.equal(alone[0], first[2])


def test_test_words_are_always_the_same_and_not_those_of_training() -> None:
    first, again = (torch.cat([b.inputs for b in words(20).evaluation("test", 4)], dim=1) for _ in range(2))
    assert first.shape == (1, 20, 6) and torch.equal(first, again)
    training = {tuple(sequence) for sequence in words_of(1).flatten(0, 1).tolist()}
    assert training.isdisjoint(map(tuple, first[0].tolist()))


def test_loss_and_score_are_means_over_tokens_of_what_is_stored() -> None:
    batch = next(words(20).evaluation("test", 7))
    outputs = torch.randn(3, 7, 6, 6)
    stored = words(20).predictions(outputs, batch)
    probability = outputs.softmax(-1).numpy()
    assert stored[1, 2, 4, 0].item() == pytest.approx(-np.log(probability[1, 2, 4, 4]), rel=1e-5)
    assert stored[1, 2, 4, 1].item() == (probability[1, 2, 4].argmax() == 4)
    torch.testing.assert_close(words(20).loss(outputs, batch), stored[..., 0].mean(-1))
    torch.testing.assert_close(words(20).score(outputs, batch), stored[..., 1].mean(-1))


@pytest.mark.parametrize(("name", "n_outputs"), [("identification", 8), ("even_tokens", 5)])
def test_a_task_of_words_is_loaded_at_its_own_sizes(name: str, n_outputs: int) -> None:
    changes = {f"scales.smoke.{name}.data": dict(tokens=8, vocabulary=4, train_sequences=3, test_sequences=2)}
    loaded = load_task(name, change_settings(changes), {}, torch.device("cpu"))
    assert (loaded.positions.n_tokens, loaded.n_train, loaded.n_outputs) == (8, 3, n_outputs)
    (batch,) = loaded.evaluation("test", 9)
    labels = {"identification": places, "even_tokens": every_second}[name]
    assert torch.equal(batch.targets, labels(batch.inputs))
