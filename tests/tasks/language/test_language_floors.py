import numpy as np
import pytest
from made_verses import WORDS, make_verses

from stages.tasks.language.floors import list_contexts, predict

CODES = WORDS + 2


def mean_losses(objective: str) -> dict[str, float]:
    """Measure the mean loss of each floor on validation verses, nats per word."""
    arrays = make_verses(objective)
    splits = {
        split: (arrays[f"{split}_verses"], arrays[f"{split}_asked"]) for split in ("test", "validation")
    }
    losses = predict(arrays["train_verses"], splits, CODES, objective)
    asked = splits["validation"][1]
    assert not any(of[~splits[split][1]].any() for (_, split), of in losses.items())
    return {floor: float(of[asked].mean()) for (floor, split), of in losses.items() if split == "validation"}


def test_a_planted_bigram_is_learned() -> None:
    losses = mean_losses("left_to_right")
    assert list(losses) == ["unigram", "bigram", "trigram"]
    first = 1 / 5.5  # of 3..8 words, that which follows from none
    assert losses["unigram"] == pytest.approx(np.log(WORDS), abs=0.05)
    assert losses["bigram"] == pytest.approx(first * np.log(WORDS), abs=0.1)
    assert losses["trigram"] == pytest.approx(losses["bigram"], abs=0.05)


def test_a_blank_is_filled_from_both_neighbours() -> None:
    losses = mean_losses("blanks")
    assert list(losses) == ["unigram", "neighbours"]
    assert losses["neighbours"] < 0.2 < 1.5 < losses["unigram"]


def test_contexts_are_the_words_beside_and_nothing_outside_the_verse() -> None:
    verses = np.array([[1, 2, 3]])
    asked = np.ones_like(verses, dtype=bool)
    found = list_contexts(verses, asked, verses, "left_to_right")
    assert [column.tolist() for column in found["last_two"]] == [[0, 0, 1], [0, 1, 2]]
    found = list_contexts(verses, asked, verses, "blanks")
    assert [column.tolist() for column in found["both"]] == [[0, 1, 2], [2, 3, 0]]
