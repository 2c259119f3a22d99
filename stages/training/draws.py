"""Draw what a step of training takes at random, outside the model: dropout, and what an encoding draws.

Dropout (Srivastava et al. 2014) is on tokens with their tables.
"""

import numpy as np
import torch
from torch import Tensor

from stages.core.encodings.interface import PositionalEncoding, list_encodings
from stages.core.model.transformer import Transformer
from stages.core.randomness.streams import Generators, Replicates


def draw_step(model: Transformer, inputs: Tensor, replicates: Replicates, *step: int) -> None:
    """Give a model what it takes at random in a step on inputs [R, B, ...], each replica its own."""
    if model.dropout:
        model.kept = draw_kept(model, inputs, replicates.generators("dropout", *step))
    give_draws(model.encoding, replicates, inputs, *step)


def forget_draws(model: Transformer) -> None:
    """Take nothing at random, as in all that is scored."""
    model.kept = None
    for part in list_drawing(model.encoding).values():
        part.drawn = None


def give_draws(encoding: PositionalEncoding, replicates: Replicates, inputs: Tensor, *step: int) -> None:
    """Let an encoding and its parts draw for a step on inputs [R, B, ...], each from a stream of its own."""
    for name, part in list_drawing(encoding).items():
        drawn = part.draw(replicates.generators("drawn", name, *step), inputs.shape[1])
        part.drawn = None if drawn is None else drawn.to(inputs.device)


def list_drawing(encoding: PositionalEncoding) -> dict[str, PositionalEncoding]:
    """List by name the encodings among it and its parts that draw in training."""
    every = list_encodings(encoding).items()
    return {name: part for name, part in every if type(part).draw is not PositionalEncoding.draw}


def draw_kept(model: Transformer, inputs: Tensor, generators: Generators) -> Tensor:
    """Draw factors [R, n_tables, B, n, d] of one step on inputs [R, B, ...].

    Each is 0 or 1 / (1 - p), p = model.dropout. One generator per replica, so that a replica's do not depend
    on the others in its stack.
    """
    markers = 0 if model.markers is None else model.markers.vectors.shape[1]
    size = (model.n_tables, inputs.shape[1], inputs.shape[2] + markers, model.readout.weight.shape[1])
    kept = [generator.random(size, dtype=np.float32) >= model.dropout for generator in generators]
    return torch.from_numpy(np.stack(kept)).to(inputs.device) / (1 - model.dropout)
