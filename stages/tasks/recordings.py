"""Resting-state fMRI: the activity of masked brain regions from the visible ones, frame by frame.

The validation split are subjects that training never sees.
"""

from pathlib import Path

import numpy as np
import torch

from stages.artifacts import existing, read_arrays
from stages.numerics import true_positions
from stages.params import Params
from stages.tasks.masked import MaskedRegression

DATA = Path("data/recordings/frames.npz")


def load(params: Params, device: torch.device) -> MaskedRegression:
    """The prepared recordings of data/recordings on the device, every frame_step-th training frame."""
    arrays = read_arrays(existing(DATA, "prepare_recordings"))
    train_rows = np.arange(0, len(arrays["train_frames"]), params.sizes.recordings.data.frame_step)
    for name in ("train_frames", "train_masks"):
        arrays[name] = arrays[name][train_rows]
    splits = ("train", "test", "validation")
    return MaskedRegression(
        frames={split: torch.from_numpy(arrays[f"{split}_frames"]).to(device) for split in splits},
        masks={split: torch.from_numpy(arrays[f"{split}_masks"]).to(device) for split in splits},
        mask_fraction=params.recordings.mask_fraction,
        positions=true_positions.recordings(arrays),
        train_rows=train_rows,
    )
