"""Small tasks with random examples, to train on in tests."""

import numpy as np
import torch

from stages.core.positions.positions import Positions
from stages.core.randomness.masks import draw_masks
from stages.core.randomness.streams import generator
from stages.tasks.bases.labels import RandomWords, places
from stages.tasks.bases.masked import MaskedRegression
from stages.tasks.bases.shared_facts import WordData
from stages.tasks.grid.task import Grid

SPLITS = ("train", "test")


def masked(n_frames: int = 40) -> MaskedRegression:
    """Draw frames of six tokens."""
    numbers = np.random.default_rng(0)
    frames = {split: torch.from_numpy(numbers.normal(size=(n_frames, 6))).float() for split in SPLITS}
    masks = {split: draw_masks(n_frames, 6, 0.5, numbers) for split in SPLITS}
    return MaskedRegression(frames, masks, 0.5, Positions(6), np.arange(n_frames))


def puzzles(n_puzzles: int = 40) -> Grid:
    """Draw sixteen random codes and an unrelated answer each."""
    numbers = np.random.default_rng(0)
    codes = {split: torch.from_numpy(numbers.integers(0, 6, (n_puzzles, 16))) for split in SPLITS}
    answers = {split: torch.from_numpy(numbers.integers(0, 4, n_puzzles)) for split in SPLITS}
    return Grid(codes, answers, 4)


def words(n_sequences: int = 40) -> RandomWords:
    """Draw six words of five, each with its place."""
    sizes = WordData(tokens=6, vocabulary=5, train_sequences=n_sequences, test_sequences=n_sequences)
    return RandomWords(sizes, 6, places, generator(0, "identification", "test"), torch.device("cpu"))
