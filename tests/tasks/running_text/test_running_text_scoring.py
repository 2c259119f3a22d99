import numpy as np
import pytest
import torch
from changed_params import change_settings
from made_windows import TOKENS, WINDOWS, WORDS, make_windows

from stages.core.randomness.streams import Replicates
from stages.tasks.running_text.facts import FACTS
from stages.tasks.running_text.scoring import SCORING
from stages.tasks.running_text.task import load, load_longer


def test_each_word_is_asked_from_those_before_it() -> None:
    task = load(change_settings({}), make_windows(), torch.device("cpu"))
    batch = next(task.epoch(Replicates(0, "running_text", [0]), 1, 20))
    assert (batch.inputs[..., 0] == WORDS + 2).all()
    assert torch.equal(batch.inputs[..., 1:], batch.targets[..., :-1] + 1)
    assert batch.counted is not None and (batch.counted == 1 / TOKENS).all()


@pytest.mark.parametrize("times", [1, 2, 8])
def test_the_same_words_are_asked_in_longer_windows(times: int) -> None:
    task = load_longer(make_windows(), times)
    (batch,) = task.evaluation("longest_windows", WINDOWS)
    assert batch.inputs.shape == (1, WINDOWS, times * TOKENS) and batch.counted is not None
    asked = batch.counted[0] > 0
    assert asked[:, -2:].all() and asked.sum() == 2 * WINDOWS  # a quarter of eight words
    assert (batch.targets[0][:, -2:].numpy() + 1 == make_windows()["validation_windows"][:, -2:]).all()


def test_scores_are_means_over_all_words() -> None:
    random, data = np.random.default_rng(0), make_windows()
    stored = {
        f"{split}_losses": random.random((2, WINDOWS, TOKENS)) for split in ("train", "test", "validation")
    }
    scores = dict(SCORING.score_splits(stored | {"train_rows": np.arange(WINDOWS)}, data))
    for split, found in scores.items():
        np.testing.assert_allclose(found["loss"], [part.mean() for part in stored[f"{split}_losses"]])


def test_floors_are_alike_at_all_lengths() -> None:
    found = {
        (floor, split): scores
        for floor, split, scores in SCORING.score_floors(change_settings({}), make_windows())
    }
    assert {floor for floor, _ in found} == {*FACTS.floors}
    names = {f"{split}/{metric}" for (_, split), scores in found.items() for metric in scores}
    assert names < {*FACTS.scored} and "lengths/rise_8" in names
    pairs = found["floor_bigram", "lengths"]
    assert pairs["loss_1"] == pairs["loss_8"] < 0.6 * found["floor_unigram", "lengths"]["loss_1"]
    assert pairs["rise_2"] == 0
