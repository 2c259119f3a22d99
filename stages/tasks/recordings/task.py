"""Resting-state fMRI: the activity of masked brain regions from the visible ones, frame by frame.

The validation split are subjects that training never sees. Training frames may be more than memory holds:
they are read from their file batch by batch.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stages.files import memory_maps
from stages.files.artifacts import read_arrays, require
from stages.parameters.params import Params
from stages.positions import true_positions
from stages.tasks.masked import MaskedRegression, Rows, from_arrays

DATA = Path("data/recordings")
# predictions of 15 seeds for 360 regions are then 0.4 GB, and a mean over these frames is known well
MOST_PREDICTED = 20_000
DEVICE_SHARE = 0.5  # of a GPU's free memory that training frames may take


class MappedFrames:
    """Frames [T, n] in a file, gathered on the CPU."""

    device = torch.device("cpu")

    def __init__(self, stored: NDArray[np.float32]) -> None:
        self.stored = stored

    def __len__(self) -> int:
        return len(self.stored)

    def __getitem__(self, rows: Tensor) -> Tensor:
        return torch.from_numpy(memory_maps.take_rows(self.stored, rows.numpy()))


def load(params: Params, device: torch.device) -> MaskedRegression:
    """The prepared recordings of data/recordings, every frame_step-th training frame.

    At most MOST_PREDICTED training frames, evenly spaced, are predicted in the end.
    """
    arrays = read_arrays(require(DATA, "prepare_recordings"))
    used = slice(None, None, params.sizes.recordings.data.frame_step)
    training = arrays["train_frames"][used]
    predicted = evenly_spaced(len(training), MOST_PREDICTED)
    train_rows = np.arange(len(arrays["train_frames"]))[used][predicted]
    for name in ("train_frames", "train_masks"):
        arrays[name] = memory_maps.take_rows(arrays[name], train_rows)
    positions, fraction = true_positions.recordings(arrays), params.recordings.mask_fraction
    return from_arrays(arrays, device, fraction, positions, train_rows, on_device(training, device))


def evenly_spaced(n: int, most: int) -> NDArray[np.int64]:
    """At most that many of n rows, all where they are fewer."""
    chosen = min(n, most)
    return np.arange(chosen) * n // chosen


def on_device(stored: NDArray[Any], device: torch.device) -> Rows:
    """Frames moved to a GPU where they fit, else left in their file."""
    if device.type == "cpu" or stored.nbytes > DEVICE_SHARE * torch.cuda.mem_get_info(device)[0]:
        return MappedFrames(stored)
    frames, filled = torch.empty(stored.shape, device=device), 0
    for part in memory_maps.iterate_chunks(stored):
        frames[filled : filled + len(part)] = torch.from_numpy(part.copy())
        filled += len(part)
    return frames
