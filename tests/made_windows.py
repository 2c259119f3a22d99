"""Windows of running text in which each word follows from the one before it, now and then not."""

import numpy as np

from stages.files.artifacts import Arrays
from stages.tasks.running_text.facts import LONGEST, TIMES

WORDS, TOKENS, WINDOWS = 6, 8, 60


def make_windows() -> Arrays:
    """Make windows of eight words; those of validation are the ends of the longest ones."""
    random = np.random.default_rng(0)
    steps = random.choice([1, 2], (3 * WINDOWS, TIMES[-1] * TOKENS), p=[0.9, 0.1])
    text = np.cumsum(steps, axis=1) % (WORDS + 1) + 1
    arrays: Arrays = {"words": np.array([f"w{n}" for n in range(WORDS)]), LONGEST: text[:WINDOWS]}
    for number, split in enumerate(("validation", "train", "test")):
        arrays[f"{split}_windows"] = text[number * WINDOWS : (number + 1) * WINDOWS, -TOKENS:]
    return arrays
