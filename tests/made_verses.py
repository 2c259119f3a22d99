"""Data of verses in which each word follows from the one before it."""

import numpy as np

from stages.files.artifacts import Arrays
from stages.tasks.language.facts import hide_words

WORDS, TOKENS = 6, 8


def make_verses(objective: str = "left_to_right", longer: bool = False) -> Arrays:
    """Make verses of three to eight words that count on from a random first one, round and round."""
    random, arrays = np.random.default_rng(0), {"words": np.array([f"w{n}" for n in range(WORDS)])}
    for split in ("train", "test", "validation", *(["longer"] if longer else [])):
        first, length = random.integers(WORDS, size=(200, 1)), random.integers(3, TOKENS + 1, size=(200, 1))
        length = np.minimum(length, 4) if longer and split == "train" else length
        places = np.arange(TOKENS)
        verses = np.where(places < length, (first + places) % WORDS + 1, 0)
        asked = verses > 0
        arrays[f"{split}_verses"] = verses
        arrays[f"{split}_asked"] = asked if objective == "left_to_right" else hide_words(asked, 0.15, random)
    return arrays
