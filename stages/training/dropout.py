"""Dropout (Srivastava et al. 2014) on tokens with their tables, drawn outside the model for each step."""

import numpy as np
import torch
from torch import Tensor

from stages.core.model.transformer import Transformer
from stages.core.randomness.streams import Generators


def draw_kept(model: Transformer, inputs: Tensor, generators: Generators) -> Tensor:
    """Draw factors [R, n_tables, B, n, d] of one step on inputs [R, B, ...].

    Each is 0 or 1 / (1 - p), p = model.dropout. One generator per replica, so that a replica's do not depend
    on the others in its stack.
    """
    markers = 0 if model.markers is None else model.markers.vectors.shape[1]
    size = (model.n_tables, inputs.shape[1], inputs.shape[2] + markers, model.readout.weight.shape[1])
    kept = [generator.random(size, dtype=np.float32) >= model.dropout for generator in generators]
    return torch.from_numpy(np.stack(kept)).to(inputs.device) / (1 - model.dropout)
