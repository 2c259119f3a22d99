"""A nonlinear stochastic network: the activity of masked nodes from the visible ones, frame by frame."""

import numpy as np
import torch

from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.bases.masked import MaskedRegression, from_arrays
from stages.tasks.network.facts import Settings, graph_positions


def load(settings: Params, data: Arrays, device: torch.device) -> MaskedRegression:
    """The simulated frames on the device."""
    fraction = settings.section("network", Settings).mask_fraction
    return from_arrays(data, device, fraction, graph_positions(data), np.arange(len(data["train_frames"])))
