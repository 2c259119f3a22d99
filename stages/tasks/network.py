"""A nonlinear stochastic network: the activity of masked nodes from the visible ones, frame by frame."""

from pathlib import Path

import numpy as np
import torch

from stages.artifacts import existing, read_arrays
from stages.numerics import true_positions
from stages.params import Params
from stages.tasks.masked import MaskedRegression

DATA = Path("data/network/frames.npz")


def load(params: Params, device: torch.device) -> MaskedRegression:
    """The simulated frames of data/network on the device."""
    arrays = read_arrays(existing(DATA, "simulate_network"))
    splits = ("train", "test", "validation")
    return MaskedRegression(
        frames={split: torch.from_numpy(arrays[f"{split}_frames"]).to(device) for split in splits},
        masks={split: torch.from_numpy(arrays[f"{split}_masks"]).to(device) for split in splits},
        mask_fraction=params.network.mask_fraction,
        positions=true_positions.network(arrays),
        train_rows=np.arange(len(arrays["train_frames"])),
    )
