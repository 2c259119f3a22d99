"""Try an encoding before anything is made or trained: on four tokens with made-up positions."""

import numpy as np

from stages.encodings.interface import create
from stages.parameters.errors import InputError
from stages.parameters.params import Configuration
from stages.parameters.scales import Model
from stages.positions.positions import Positions
from stages.randomness.streams import Replicates
from stages.training.assemble import host_for, try_out

# the corners of a square; its sides are the graph
CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
APART = np.abs(CORNERS[:, None] - CORNERS).sum(-1)
POSITIONS = Positions(4, CORNERS, np.asarray(APART == 1, float), np.exp(-APART))
REPLICATES = Replicates(0, "rehearsal", [0, 1, 2])


def rehearse(configuration: Configuration, sizes: Model) -> None:
    """InputError where a method returns what a model cannot go on with, or seeds would share a parameter.

    A scheme that asks for other positions is tried when its model is assembled.
    """
    host = host_for(POSITIONS, configuration, sizes, REPLICATES)
    try:
        encoding = create(configuration, host)
    except InputError:
        return
    try_out(configuration.scheme, encoding, host)
