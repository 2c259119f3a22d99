import numpy as np
import pytest
import torch
from torch import Tensor

from stages.parameters.scales import WordData
from stages.randomness.streams import Replicates, generator
from stages.tasks.bases.words import RandomWords
from stages.tasks.even_tokens.task import every_second
from stages.tasks.identification.task import places

STREAMS = Replicates(0, "identification", range(3))
SIZES = WordData(tokens=6, vocabulary=5, train_sequences=20, test_sequences=7)


def task(sizes: WordData = SIZES) -> RandomWords:
    return RandomWords(sizes, 6, places, generator(0, "identification", "test"), torch.device("cpu"))


def words_of(epoch: int, streams: Replicates = STREAMS, start: int = 0) -> Tensor:
    return torch.cat([batch.inputs for batch in task().epoch(streams, epoch, 8, start)], dim=1)


@pytest.mark.parametrize(
    ("words", "labels"), [([3, 1, 4, 1, 5, 9], [1, 1, 9, 0, 0, 0]), ([3, 1, 4, 2, 5], [1, 2, 0, 0, 0])]
)
def test_every_second_word_and_then_the_end(words: list[int], labels: list[int]) -> None:
    assert every_second(torch.tensor([[words]])).tolist() == [[labels]]


def test_places_are_counted_whatever_the_words() -> None:
    assert places(torch.randint(1, 9, (2, 3, 4))).tolist() == [[[0, 1, 2, 3]] * 3] * 2


def test_an_epoch_is_so_many_sequences_of_every_word() -> None:
    words = words_of(1)
    assert words.shape == (3, 20, 6)
    assert set(words.flatten().tolist()) == {1, 2, 3, 4, 5}


def test_replicas_and_epochs_draw_words_of_their_own() -> None:
    first, second = words_of(1), words_of(2)
    assert not torch.equal(first[0], first[1]) and not torch.equal(first, second)


def test_a_replica_s_words_do_not_depend_on_what_it_is_stacked_with() -> None:
    alone = words_of(1, Replicates(0, "identification", [2]))
    assert torch.equal(alone[0], words_of(1)[2])


def test_an_epoch_can_be_taken_up_again_at_any_batch() -> None:
    assert torch.equal(words_of(1, start=1), words_of(1)[:, 8:])


def test_test_words_are_always_the_same_and_not_those_of_training() -> None:
    one, other = (torch.cat([b.inputs for b in task().evaluation("test", 4)], dim=1) for _ in range(2))
    assert one.shape == (1, 7, 6) and torch.equal(one, other)
    training = {tuple(words) for words in words_of(1).flatten(0, 1).tolist()}
    assert training.isdisjoint(map(tuple, one[0].tolist()))


def test_loss_and_score_are_means_over_tokens_of_what_is_stored() -> None:
    batch = next(task().evaluation("test", 7))
    outputs = torch.randn(3, 7, 6, 6)
    stored = task().predictions(outputs, batch)
    probability = outputs.softmax(-1).numpy()
    assert stored[1, 2, 4, 0].item() == pytest.approx(-np.log(probability[1, 2, 4, 4]), rel=1e-5)
    assert stored[1, 2, 4, 1].item() == (probability[1, 2, 4].argmax() == 4)
    torch.testing.assert_close(task().loss(outputs, batch), stored[..., 0].mean(-1))
    torch.testing.assert_close(task().score(outputs, batch), stored[..., 1].mean(-1))
