"""Resting-state fMRI: the activity of masked brain regions from the visible ones, frame by frame.

The validation split are subjects that training never sees. Training frames may be more than memory holds:
they are read from their file batch by batch.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stages.files import memory_maps
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.bases.masked import MappedFrames, MaskedRegression
from stages.tasks.interface import load_splits
from stages.tasks.recordings.facts import Data, Settings, region_positions

# predictions of 15 seeds for 360 regions are then 0.4 GB, and a mean over these frames is known well
MOST_PREDICTED = 20_000
DEVICE_SHARE = 0.5  # of a GPU's free memory that training frames may take


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
    placed = place_frames(training, device)
    positions, held_out = region_positions(data), data.get("held_out")
    return MaskedRegression(frames, masks, fraction, positions, train_rows, placed, held_out)


def place_frames(stored: NDArray[Any], device: torch.device) -> Tensor | MappedFrames:
    """Move frames to a GPU if they fit, else leave them in their file."""
    if device.type == "cpu" or stored.nbytes > DEVICE_SHARE * torch.cuda.mem_get_info(device)[0]:
        return MappedFrames(stored)
    frames, filled = torch.empty(stored.shape, device=device), 0
    for part in memory_maps.iterate_chunks(stored):
        frames[filled : filled + len(part)] = torch.from_numpy(part.copy())
        filled += len(part)
    return frames
