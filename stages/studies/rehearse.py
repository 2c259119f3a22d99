"""Try an encoding before anything is made or trained: on four tokens with made-up positions."""

import numpy as np
import torch

from stages.encodings.interface import Host, PositionalEncoding, create
from stages.parameters.errors import InputError
from stages.parameters.params import Configuration
from stages.parameters.scales import Model
from stages.positions.positions import Positions
from stages.randomness.streams import Replicates
from stages.studies.schemes import explained
from stages.training.assemble import host_for, try_out

# the corners of a square; its sides are the graph
CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
APART = np.abs(CORNERS[:, None] - CORNERS).sum(-1)
POSITIONS = Positions(4, CORNERS, np.asarray(APART == 1, float), np.exp(-APART))
REPLICATES = Replicates(0, "rehearsal", [0, 1, 2])


def rehearse(configuration: Configuration, sizes: Model) -> tuple[PositionalEncoding, Host] | None:
    """An encoding and its host; InputError where a model cannot go on with it, or seeds share a parameter.

    A scheme that asks for other positions is tried when its model is assembled: None.
    """
    host = host_for(POSITIONS, configuration, sizes, REPLICATES)
    with explained(str(configuration.scheme)):
        try:
            encoding = create(configuration, host)
        except InputError:
            return None
        try_out(configuration.scheme, encoding, host)
        try_backward(encoding, host)
    check_buffers(str(configuration.scheme), encoding, len(host.generators))
    return encoding, host


def try_backward(encoding: PositionalEncoding, host: Host) -> None:
    """Raise what training would, where weights are changed in place."""
    shape = (len(host.generators), 1, host.heads, 1, len(host.indices))
    weights = torch.ones(shape, requires_grad=True).softmax(-1)
    torch.autograd.backward(encoding.weights(0, weights, slice(0, 1)).sum())


def check_buffers(scheme: str, encoding: PositionalEncoding, replicas: int) -> None:
    """InputError for a buffer that cannot be shared out to seeds: a model takes its part of each."""
    for name, buffer in encoding.named_buffers():
        if buffer.shape[:1] not in ((1,), (replicas,)):
            raise InputError(
                f"{scheme}: buffer {name} has shape {tuple(buffer.shape)}, expected a first axis of 1, "
                f"for all seeds together, or of {replicas}, one for each; write {name}[None]"
            )
