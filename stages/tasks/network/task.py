"""A nonlinear stochastic network: the activity of masked nodes from the visible ones, frame by frame."""

import numpy as np
import torch

from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.bases.masked import MaskedRegression
from stages.tasks.interface import load_splits
from stages.tasks.network.facts import Settings, graph_positions


def load(settings: Params, data: Arrays, device: torch.device) -> MaskedRegression:
    """Load the simulated frames on the device."""
    fraction = settings.section("network", Settings).mask_fraction
    frames = load_splits(data, "frames", device)
    masks = {split: data[f"{split}_masks"] for split in frames}
    rows = np.arange(len(frames["train"]))
    return MaskedRegression(
        frames, masks, fraction, graph_positions(data), rows, held_out=data.get("held_out")
    )
