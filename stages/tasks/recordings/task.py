"""Resting-state fMRI: the activity of masked brain regions from the visible ones, frame by frame.

The validation split are subjects that training never sees. Training frames may be more than memory holds:
they are read from their file batch by batch.
"""

import numpy as np
import torch

from stages.files import memory_maps
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.bases.masked import MappedFrames, MaskedRegression
from stages.tasks.interface import load_splits
from stages.tasks.recordings.facts import Data, Settings, region_positions

# predictions of 15 seeds for 360 regions are then 0.4 GB, and a mean over these frames is known well
MOST_PREDICTED = 20_000


def load(settings: Params, data: Arrays, device: torch.device) -> MaskedRegression:
    """Load the prepared recordings, every frame_step-th training frame.

    At most MOST_PREDICTED training frames, evenly spaced, are predicted in the end.
    """
    used = slice(None, None, settings.data("recordings", Data).frame_step)
    training = data["train_frames"][used]
    count = min(len(training), MOST_PREDICTED)
    predicted = np.arange(count) * len(training) // count
    train_rows = np.arange(len(data["train_frames"]))[used][predicted]
    evaluated = {
        name: memory_maps.take_rows(data[name], train_rows) for name in ("train_frames", "train_masks")
    }
    fraction = settings.section("recordings", Settings).mask_fraction
    frames = load_splits(data | evaluated, "frames", device)
    masks = {split: (data | evaluated)[f"{split}_masks"] for split in frames}
    positions, held_out = region_positions(data), data.get("held_out")
    return MaskedRegression(frames, masks, fraction, positions, train_rows, MappedFrames(training), held_out)
