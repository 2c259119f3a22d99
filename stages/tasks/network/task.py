"""A nonlinear stochastic network: the activity of masked nodes from the visible ones, frame by frame."""

from pathlib import Path

import numpy as np
import torch

from stages.files.artifacts import read_arrays, require
from stages.parameters.params import Params
from stages.positions import true_positions
from stages.tasks.masked import MaskedRegression, from_arrays

DATA = Path("data/network/frames.npz")


def load(params: Params, device: torch.device) -> MaskedRegression:
    """The simulated frames of data/network on the device."""
    arrays = read_arrays(require(DATA, "simulate_network"))
    train_rows = np.arange(len(arrays["train_frames"]))
    positions, fraction = true_positions.network(arrays), params.network.mask_fraction
    return from_arrays(arrays, device, fraction, positions, train_rows)
