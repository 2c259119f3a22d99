import numpy as np
import pytest
from changed_params import change_settings
from made_verses import make_verses

from stages.files.artifacts import Arrays
from stages.tasks.language.scoring import SCORING

CHANGES = {"language.objective": "left_to_right"}


def test_scores_are_means_over_words_and_the_rise_is_beyond_the_length_of_training() -> None:
    data = make_verses(longer=True)
    random, rows = np.random.default_rng(0), np.arange(0, 200, 2)
    names = ("test", "validation", "longer")
    stored: Arrays = {f"{split}_losses": random.random((2, 200, 8)) for split in names}
    stored |= {"train_losses": random.random((2, 100, 8)), "train_rows": rows}
    scores = dict(SCORING.score_splits(stored, data))
    assert list(scores) == ["train", "test", "validation", "longer"]
    of_train = data["train_verses"][rows] > 0
    expected = [losses[of_train].mean() for losses in stored["train_losses"]]
    np.testing.assert_allclose(scores["train"]["loss"], expected)
    asked = data["longer_verses"] > 0
    beyond = asked & (np.arange(8) >= 4)
    for seed, losses in enumerate(stored["longer_losses"]):
        rise = losses[beyond].mean() - losses[asked & ~beyond].mean()
        assert scores["longer"]["rise"][seed] == pytest.approx(rise)


def test_floors_are_scored_on_every_split_but_the_one_they_count() -> None:
    found = list(SCORING.score_floors(change_settings(CHANGES), make_verses(longer=True)))
    assert {floor for floor, _, _ in found} == {"floor_unigram", "floor_bigram", "floor_trigram"}
    assert {split for _, split, _ in found} == {"test", "validation", "longer"}
    assert all(scores["loss"].shape == (1,) for _, _, scores in found)


def test_predictions_of_other_verses_are_one_line() -> None:
    stored = {f"{split}_losses": np.zeros((2, 200, 7)) for split in ("train", "test", "validation")}
    with pytest.raises(ValueError, match=r"train predictions of shape \(2, 200, 7\) do not fit"):
        dict(SCORING.score_splits(stored | {"train_rows": np.arange(200)}, make_verses()))
