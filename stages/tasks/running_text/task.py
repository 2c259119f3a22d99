"""Running text from left to right: each word of a window from those before it, as in the task language."""

import numpy as np
import torch

from stages.core.positions.positions import line_positions
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.facts import SPLITS
from stages.tasks.interface import load_splits
from stages.tasks.language.task import MOST_PREDICTED, Language
from stages.tasks.running_text.facts import LONGEST, ask_last


def load(settings: Params, data: Arrays, device: torch.device) -> Language:
    """Load the windows on the device. At most MOST_PREDICTED training windows are predicted in the end."""
    windows = load_splits(data, "windows", device)
    training = windows["train"]
    count = min(len(training), MOST_PREDICTED)
    rows = np.arange(count) * len(training) // count
    windows["train"] = training[torch.from_numpy(rows).to(device)]
    asked = {split: np.ones(windows[split].shape, dtype=bool) for split in SPLITS}
    words, n = len(data["words"]), training.shape[1]
    return Language(windows, asked, words, None, line_positions(n), rows, training)


def load_longer(data: Arrays, times: int) -> Language:
    """Load windows of so many times the trained words, which end where the longest ones do.

    Their split is LONGEST. The same words are asked at any length, the last ones (`ask_last`).
    """
    n = data["train_windows"].shape[1]
    windows = torch.from_numpy(data[LONGEST][:, -times * n :])
    asked = ask_last(windows.shape, n)
    places, none = line_positions(times * n), np.arange(0)
    return Language({LONGEST: windows}, {LONGEST: asked}, len(data["words"]), None, places, none, windows)
